//! `ede-widgets`: every native component of the eUI catalog, one file each. A component measures its leaves, paints their content and
//! says what a press, drag or key on it means; the box around it is the scene's. It reads props and resolved recipes, never a file,
//! never a theme's source, and no prop, however wrong, makes it panic.

mod accordion;
mod audio_player;
mod avatar;
mod button;
mod calendar;
mod carousel;
mod chart;
mod checkbox;
mod code;
mod composer;
mod fade;
mod field;
mod icon;
mod image;
mod inline;
mod link;
mod markdown;
mod media;
mod menu_item;
mod motion;
mod nothing;
mod option;
mod paragraph;
mod parts;
mod props;
mod qr_code;
mod qr_scanner;
mod radio;
mod ring;
mod segmented;
mod shimmer;
mod skeleton;
mod slider;
mod spinner;
mod switch;
mod tab;
mod table;
mod text;
mod toggle;
mod tree_guides;
mod trigger;
mod unknown;
mod video;
mod voice_wave;
mod zoomable_image;

use ede_renderer::component::Registry;

/// Natives whose own box draws nothing but what the scene draws; their parts and children are nodes of their own.
const CONTAINERS: &[&str] = &[
    "Accordion",
    "Box",
    "Carousel",
    "ChipInput",
    "ChoiceTiles",
    "CodeBlock",
    "DatePicker",
    "DateRangePicker",
    "Dialog",
    "Drawer",
    "FileUpload",
    "Form",
    "Input",
    "List",
    "Menu",
    "NumberField",
    "Popover",
    "Resizable",
    "SearchList",
    "Select",
    "Table",
    "Tabs",
    "Textarea",
    "TimePicker",
    "Toast",
    "Tooltip",
    "Extension",
];

/// Every component of the catalog. What is not here draws as a labelled placeholder.
pub fn registry() -> Registry {
    CONTAINERS
        .iter()
        .fold(Registry::new(&unknown::Unknown), |r, kind| {
            r.kind(kind, &nothing::Nothing)
        })
        .kind("AudioPlayer", &audio_player::AudioPlayer)
        .kind("Avatar", &avatar::Avatar)
        .kind("Button", &button::Button)
        .kind("Chart", &chart::Chart)
        .kind("Checkbox", &nothing::Nothing)
        .kind("Composer", &composer::Composer)
        .kind("Icon", &icon::Icon)
        .kind("Image", &image::Image)
        .kind("Link", &link::Link)
        .kind("Markdown", &markdown::Markdown)
        .kind("Motion", &motion::Motion)
        .kind("QrCode", &qr_code::QrCode)
        .kind("QrScanner", &qr_scanner::QrScanner)
        .kind("Radio", &nothing::Nothing)
        .kind("Ring", &ring::Ring)
        .kind("Segmented", &segmented::Segmented)
        .kind("Skeleton", &skeleton::Skeleton)
        .kind("Slider", &nothing::Nothing)
        .kind("Spinner", &spinner::Spinner)
        .kind("Switch", &nothing::Nothing)
        .kind("Text", &text::Text)
        .kind("Toggle", &toggle::Toggle)
        .kind("TreeGuides", &tree_guides::TreeGuides)
        .kind("Unknown", &unknown::Unknown)
        .kind("Video", &video::Video)
        .kind("VoiceWave", &voice_wave::VoiceWave)
        .kind("ZoomableImage", &zoomable_image::ZoomableImage)
        .part("Accordion", "trigger", &accordion::Trigger)
        .part("Carousel", "counter", &text::CenteredText)
        .part("Carousel", "indicator", &carousel::Indicator)
        .part("Checkbox", "box", &checkbox::Checkbox)
        .part("ChipInput", "chipLabel", &text::CenteredText)
        .part("ChipInput", "input", &field::Entry)
        .part("ChipInput", "suggestion", &option::Choice)
        .part("CodeBlock", "code", &code::Line)
        .part("CodeBlock", "lineNumber", &code::LineNumber)
        .part("DatePicker", "day", &calendar::Day)
        .part("DatePicker", "title", &text::CenteredText)
        .part("DatePicker", "trigger", &trigger::Trigger)
        .part("DatePicker", "weekday", &calendar::Weekday)
        .part("DateRangePicker", "day", &calendar::Day)
        .part("DateRangePicker", "title", &text::CenteredText)
        .part("DateRangePicker", "trigger", &trigger::Trigger)
        .part("DateRangePicker", "weekday", &calendar::Weekday)
        .part("Input", "field", &field::Input)
        .part("Menu", "fade", &fade::Fade)
        .part("Menu", "item", &menu_item::MenuItem)
        .part("Menu", "itemLabel", &option::Choice)
        .part("Menu", "search", &field::Search)
        .part("NumberField", "input", &field::Number)
        .part("Radio", "dot", &radio::Radio)
        .part("SearchList", "fade", &fade::Fade)
        .part("SearchList", "search", &field::Search)
        .part("Select", "item", &option::Choice)
        .part("Select", "search", &field::Search)
        .part("Select", "trigger", &trigger::Trigger)
        .part("Slider", "track", &slider::Slider)
        .part("Switch", "track", &switch::Switch)
        .part("Table", "cell", &table::Cell)
        .part("Table", "checkbox", &checkbox::Checkbox)
        .part("Table", "headerCell", &table::HeaderCell)
        .part("Tabs", "tab", &tab::Tab)
        .part("Textarea", "field", &field::Textarea)
        .part("TimePicker", "item", &option::Choice)
        .part("TimePicker", "trigger", &trigger::Trigger)
}
