//! What an output shows: its surfaces laid over each other in software, nearest pixel, no filter.

use super::output::OutputId;
use super::state::State;
use super::surface::SurfaceId;
use crate::picture::Picture;

impl State {
    /// The output's picture in physical pixels, black where nothing is. Buffer transforms are not undone.
    pub fn screenshot(&self, id: OutputId) -> Option<Picture> {
        let output = self.output(id)?;
        let ((left, top), (width, height), scale) = (
            output.spec.position,
            output.spec.logical_size(),
            output.spec.scale,
        );
        let physical = |length: i32| (f64::from(length) * scale).round() as i32;
        let mut canvas = vec![0_u8; physical(width) as usize * physical(height) as usize * 4];
        canvas
            .iter_mut()
            .skip(3)
            .step_by(4)
            .for_each(|alpha| *alpha = 255);
        let mut picture =
            Picture::from_raw(physical(width) as u32, physical(height) as u32, canvas)?;
        for surface in self.stack() {
            let (x, y) = self.surface_origin(surface);
            self.lay(
                surface,
                (physical(x - left), physical(y - top)),
                scale,
                &mut picture,
            );
        }
        Some(picture)
    }

    fn lay(&self, id: SurfaceId, (left, top): (i32, i32), scale: f64, onto: &mut Picture) {
        let Some(current) = self.surface(id).map(|surface| &surface.current) else {
            return;
        };
        let Some(pixels) = &current.pixels else {
            return;
        };
        let size = current.size();
        let (width, height) = (
            (f64::from(size.0) * scale).round() as i32,
            (f64::from(size.1) * scale).round() as i32,
        );
        for y in top.max(0)..(top + height).min(onto.height() as i32) {
            for x in left.max(0)..(left + width).min(onto.width() as i32) {
                let from_x = i64::from(x - left) * i64::from(pixels.width) / i64::from(width);
                let from_y = i64::from(y - top) * i64::from(pixels.height) / i64::from(height);
                let Some([blue, green, red, alpha]) = pixels.bgra(from_x as u32, from_y as u32)
                else {
                    continue;
                };
                let below = onto.get_pixel_mut(x as u32, y as u32);
                let rest = 255 - u32::from(alpha);
                let over = |above: u8, below: u8| {
                    (u32::from(above) + (u32::from(below) * rest + 127) / 255).min(255) as u8
                };
                below.0 = [
                    over(red, below.0[0]),
                    over(green, below.0[1]),
                    over(blue, below.0[2]),
                    255,
                ];
            }
        }
    }
}
