//! Input that only changes how a component shows its node: a chart's marked column, a picture's view. The component keeps what it
//! wants of it with the node; the engine hears of it only what the component tells.

use super::Input;
use super::cx::InputCx;
use super::intent::Nudge;
use super::role;
use crate::component::NudgeCx;

impl Input {
    /// True when the node's component took it.
    pub(crate) fn nudge(&mut self, cx: &mut InputCx<'_>, slot: u32, nudge: &Nudge) -> bool {
        let Some(node) = cx.scene.node(slot).filter(|n| !role::disabled(&n.placed)) else {
            return false;
        };
        let component = cx.res.registry.of(&node.placed);
        let mut nudged = NudgeCx {
            node: &node.placed,
            look: &node.look,
            size: node.frame.size(),
            own: node.own,
            images: &mut cx.res.images,
            recipes: cx.recipes,
        };
        let Some((own, intent)) = component.nudge(&mut nudged, nudge) else {
            return false;
        };
        cx.scene.keep(slot, own);
        cx.out.repaint = true;
        cx.out.taken = true;
        if let Some(intent) = intent {
            self.tell(cx, slot, intent);
        }
        true
    }
}
