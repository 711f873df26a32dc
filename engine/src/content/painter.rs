//! Carries out the operations of a content stream (annex A), as far as they say what is drawn where.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::color::{COMPONENTS, Space};
use super::drawn::{AreaKind, Look, PageText};
use super::fonts::Fonts;
use super::form::{External, Form};
use super::geometry::{Matrix, Rectangle};
use super::graphics::{Graphics, Paint};
use super::layer::Layers;
use super::marked::Marked;
use super::operation::{Operand, Operations};
use super::path::Path;
use super::resource::Resources;
use super::show::{Pen, TextPlace};
use super::view::View;
use crate::failure::Fault;
use crate::syntax::dictionary::Whole;
use crate::syntax::name::Name;
use crate::syntax::object::Object;
use crate::text::text_string;

/// Decoded content of one page that is looked at, in bytes; that of a form counts each time it is drawn.
pub(super) const CONTENT: usize = 1 << 20;
/// How deep forms may stand in each other.
const DEPTH: usize = 8;
/// Saved graphics states.
const SAVED: usize = 256;
const UNIT: Rectangle = Rectangle { left: 0.0, bottom: 0.0, right: 1.0, top: 1.0 };

/// Paints one page.
pub(super) struct Painter<'p, 'v, 's> {
    pub(super) view: &'p mut View<'v, 's>,
    pub(super) page: PageText,
    pub(super) annotation: Option<u32>,
    fonts: &'p mut Fonts,
    layers: &'p Layers,
    resources: Vec<Resources>,
    externals: BTreeMap<u32, External>,
    content_left: usize,
    depth: usize,
}

/// A content stream while it is carried out.
struct Frame {
    graphics: Graphics,
    saved: Vec<Graphics>,
    /// States that were saved and not kept.
    unsaved: usize,
    path: Path,
    /// Whether the path clips once it is painted.
    clips: bool,
    text: TextPlace,
    marked: Marked,
    resources: usize,
    /// Whether all of it is content that is off.
    is_off: bool,
}

impl Frame {
    fn new(graphics: Graphics, resources: usize, is_off: bool) -> Self {
        Self {
            graphics,
            saved: Vec::new(),
            unsaved: 0,
            path: Path::default(),
            clips: false,
            text: TextPlace::new(),
            marked: Marked::default(),
            resources,
            is_off,
        }
    }
}

impl<'p, 'v, 's> Painter<'p, 'v, 's> {
    pub(super) fn new(view: &'p mut View<'v, 's>, fonts: &'p mut Fonts, layers: &'p Layers) -> Self {
        Self {
            view,
            page: PageText::default(),
            annotation: None,
            fonts,
            layers,
            resources: Vec::new(),
            externals: BTreeMap::new(),
            content_left: CONTENT,
            depth: DEPTH,
        }
    }

    /// Keeps resources; their place.
    pub(super) fn keep(&mut self, resources: Whole) -> usize {
        self.resources.push(Resources::new(resources));
        self.resources.len() - 1
    }

    /// Carries out content that begins with this graphics state.
    pub(super) fn paint(
        &mut self,
        content: &[u8],
        graphics: Graphics,
        resources: usize,
        is_off: bool,
    ) -> Result<(), Fault> {
        self.page.is_part |= content.len() > self.content_left;
        let content = content.get(..self.content_left).unwrap_or(content);
        self.content_left -= content.len();
        // what operations cost beside their bytes
        self.view.work(2 * content.len())?;
        let mut operations = Operations::new(content);
        let mut frame = Frame::new(graphics, resources, is_off);
        while let Some(operator) = operations.next() {
            self.operation(operator, &mut operations, &mut frame)?;
        }
        self.page.is_part |= operations.is_part;
        Ok(())
    }

    fn operation(&mut self, operator: &[u8], operations: &mut Operations, frame: &mut Frame) -> Result<(), Fault> {
        let matrix = frame.graphics.matrix;
        match operator {
            b"q" => self.save(frame),
            b"Q" => restore(frame),
            b"cm" => {
                if let Some(numbers) = operations.numbers() {
                    frame.graphics.matrix = Matrix(numbers).then(matrix);
                }
            }
            b"gs" => self.set_parameters(operations, frame)?,
            b"re" => {
                if let Some(numbers) = operations.numbers() {
                    frame.path.rectangle(numbers, matrix);
                }
            }
            b"m" | b"l" | b"c" | b"v" | b"y" => {
                let Some([x, y]) = operations.numbers() else { return Ok(()) };
                match operator {
                    b"m" => frame.path.start(x, y, matrix),
                    b"l" => frame.path.line(x, y, matrix),
                    _ => frame.path.curve(x, y, matrix),
                }
            }
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" => self.end_path(frame, true),
            b"n" | b"S" | b"s" => self.end_path(frame, false),
            b"W" | b"W*" => frame.clips = true,
            b"sh" => {
                let look = self.look(frame, None);
                let is_opaque = frame.graphics.is_unmixed() && look.alpha >= 1.0;
                self.page.push_area(AreaKind::Shading, frame.graphics.clip, is_opaque, look);
            }
            b"Do" => {
                if let Some(name) = operations.name().cloned() {
                    self.draw(&name, frame)?;
                }
            }
            b"BI" => {
                let is_mask = operations.skip_image();
                self.image(!is_mask, frame, false);
            }
            b"BMC" | b"BDC" => self.begin_marked(operations, frame)?,
            b"EMC" => frame.marked.end(&mut self.page),
            b"g" | b"rg" | b"k" | b"cs" | b"sc" | b"scn" => {
                let resources = frame.resources;
                self.set_color(operator, operations, &mut frame.graphics.fill, resources)?;
            }
            b"G" | b"RG" | b"K" | b"CS" | b"SC" | b"SCN" => {
                let resources = frame.resources;
                self.set_color(operator, operations, &mut frame.graphics.stroke, resources)?;
            }
            _ => self.text_operation(operator, operations, frame)?,
        }
        Ok(())
    }

    fn text_operation(&mut self, operator: &[u8], operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        let text = &mut frame.graphics.text;
        match (operator, operations.numbers(), operations.numbers::<2>()) {
            (b"BT", ..) => frame.text.set(Matrix::IDENTITY),
            (b"Tf", ..) => self.set_font(operations, frame)?,
            (b"Tc", Some([space]), _) => text.char_space = space,
            (b"Tw", Some([space]), _) => text.word_space = space,
            (b"Tz", Some([scale]), _) => text.scale = scale / 100.0,
            (b"TL", Some([leading]), _) => text.leading = leading,
            (b"Ts", Some([rise]), _) => text.rise = rise,
            (b"Tr", Some([mode]), _) => text.mode = if (0.0..=7.0).contains(&mode) { mode as u8 } else { 0 },
            (b"Td", _, Some([x, y])) => frame.text.next_line(x, y),
            (b"TD", _, Some([x, y])) => {
                text.leading = -y;
                frame.text.next_line(x, y);
            }
            (b"Tm", ..) => {
                if let Some(numbers) = operations.numbers() {
                    frame.text.set(Matrix(numbers));
                }
            }
            (b"T*", ..) => frame.text.next_line(0.0, -text.leading),
            (b"Tj" | b"TJ", ..) => self.show(operations, frame),
            (b"'", ..) => {
                frame.text.next_line(0.0, -text.leading);
                self.show(operations, frame);
            }
            (b"\"", ..) => {
                if let [Operand::Number(word), Operand::Number(char), ..] = operations.operands() {
                    (text.word_space, text.char_space) = (*word, *char);
                }
                frame.text.next_line(0.0, -text.leading);
                self.show(operations, frame);
            }
            _ => {}
        }
        Ok(())
    }

    fn save(&mut self, frame: &mut Frame) {
        if frame.saved.len() < SAVED {
            frame.saved.push(frame.graphics.clone());
        } else {
            frame.unsaved += 1;
            self.page.is_part = true;
        }
    }

    fn set_parameters(&mut self, operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        let (Some(name), Some(resources)) = (operations.name(), self.resources.get_mut(frame.resources)) else {
            return Ok(());
        };
        let parameters = resources.state(self.view, self.fonts, name)?;
        let graphics = &mut frame.graphics;
        let alpha = |alpha: f64| alpha.clamp(0.0, 1.0) as f32;
        graphics.fill.alpha = parameters.fill_alpha.map_or(graphics.fill.alpha, alpha);
        graphics.stroke.alpha = parameters.stroke_alpha.map_or(graphics.stroke.alpha, alpha);
        graphics.is_blended = parameters.is_blended.unwrap_or(graphics.is_blended);
        graphics.is_masked = parameters.is_masked.unwrap_or(graphics.is_masked);
        if let Some((font, size)) = &parameters.font {
            (graphics.text.font, graphics.text.size) = (Some(Rc::clone(font)), *size);
        }
        Ok(())
    }

    fn set_font(&mut self, operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        let [.., Operand::Name(name), Operand::Number(size)] = operations.operands() else { return Ok(()) };
        let Some(resources) = self.resources.get_mut(frame.resources) else { return Ok(()) };
        let font = resources.font(self.view, self.fonts, name)?;
        (frame.graphics.text.font, frame.graphics.text.size) = (Some(font), *size);
        Ok(())
    }

    fn set_color(
        &mut self,
        operator: &[u8],
        operations: &Operations,
        paint: &mut Paint,
        resources: usize,
    ) -> Result<(), Fault> {
        let device = match operator {
            b"g" | b"G" => Some(Space::Gray),
            b"rg" | b"RG" => Some(Space::Rgb),
            b"k" | b"K" => Some(Space::Cmyk),
            _ => None,
        };
        if matches!(operator, b"cs" | b"CS") {
            let (Some(name), Some(resources)) = (operations.name(), self.resources.get_mut(resources)) else {
                return Ok(());
            };
            paint.space = resources.space(self.view, name)?;
            paint.color = paint.space.initial();
            paint.is_pattern = false;
            return Ok(());
        }
        if let Some(device) = device {
            paint.space = Rc::new(device);
        }
        let mut components = [0.0; COMPONENTS];
        let mut count = 0;
        for (component, operand) in components.iter_mut().zip(operations.operands()) {
            if let Operand::Number(number) = operand {
                *component = *number;
                count += 1;
            }
        }
        paint.is_pattern = matches!(*paint.space, Space::Pattern);
        paint.color = components.get(..count).and_then(|components| paint.space.color(components));
        Ok(())
    }

    /// How things look here; those that have colours of their own have none.
    fn look(&self, frame: &Frame, paint: Option<&Paint>) -> Look {
        let graphics = &frame.graphics;
        let alpha = paint.map_or(graphics.fill.alpha, |paint| paint.alpha) * graphics.group_alpha;
        Look {
            color: paint.and_then(|paint| paint.color),
            alpha,
            clip: graphics.clip,
            is_off: frame.is_off || frame.marked.is_off(),
            annotation: self.annotation,
        }
    }

    fn end_path(&mut self, frame: &mut Frame, fills: bool) {
        let path = frame.path.take();
        if fills {
            let look = self.look(frame, Some(&frame.graphics.fill));
            let is_opaque = frame.graphics.is_opaque();
            for (rectangle, is_filled) in path.rectangles() {
                self.page.push_area(AreaKind::Rectangle, rectangle, is_opaque && is_filled, look);
            }
        }
        if let (true, Some(bounds)) = (frame.clips, path.bounds()) {
            frame.graphics.clip_to(bounds, path.is_rectangle());
        }
        frame.clips = false;
    }

    fn image(&mut self, is_opaque: bool, frame: &Frame, is_off: bool) {
        let matrix = frame.graphics.matrix;
        let mut look = self.look(frame, None);
        look.is_off |= is_off;
        let graphics = &frame.graphics;
        let is_opaque = is_opaque && graphics.is_unmixed() && look.alpha >= 1.0 && matrix.is_upright();
        self.page.push_area(AreaKind::Image, matrix.rectangle(UNIT), is_opaque, look);
    }

    fn begin_marked(&mut self, operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        let properties = match operations.operands() {
            [.., Operand::Name(tag), Operand::Name(name)] => {
                let Some(resources) = self.resources.get_mut(frame.resources) else { return Ok(()) };
                let properties = resources.get(self.view, b"Properties", name)?;
                Some((tag, properties))
            }
            [.., Operand::Name(tag), Operand::Dictionary(properties)] => Some((tag, (**properties).clone())),
            _ => None,
        };
        let (mut is_off, mut actual) = (false, None);
        if let Some((tag, properties)) = properties {
            is_off = tag.as_bytes() == b"OC" && self.layers.is_off(self.view, &properties)?;
            if let Some(text) = self.view.dictionary(&properties)?.get(b"ActualText").as_string() {
                actual = Some(text_string::decode(text).unwrap_or_default());
            }
        }
        frame.marked.begin(is_off, actual, &self.page);
        Ok(())
    }

    fn show(&mut self, operations: &Operations, frame: &mut Frame) {
        let look = self.look(frame, Some(frame.graphics.text_paint()));
        let font = match &frame.graphics.text.font {
            Some(font) => Rc::clone(font),
            None => self.fonts.unknown(),
        };
        let mut pen = Pen::new(&mut self.page, &mut frame.text, &frame.graphics, &font, look);
        for operand in operations.operands() {
            match operand {
                Operand::Text(range) => pen.show(operations.string(range)),
                Operand::Number(number) => pen.shift(*number),
                _ => {}
            }
        }
        pen.finish();
    }

    /// `Do`: draws an external object.
    fn draw(&mut self, name: &Name, frame: &Frame) -> Result<(), Fault> {
        let Some(resources) = self.resources.get_mut(frame.resources) else { return Ok(()) };
        let object = resources.get(self.view, b"XObject", name)?;
        match self.external(&object)? {
            External::Form(form) => {
                let is_off = frame.is_off || frame.marked.is_off() || self.layers.is_off(self.view, &form.layer)?;
                self.draw_form(&form, frame.graphics.clone(), frame.resources, is_off)?;
            }
            External::Image { is_opaque, layer } => {
                let is_off = self.layers.is_off(self.view, &layer)?;
                self.image(is_opaque, frame, is_off);
            }
            External::None => {}
        }
        Ok(())
    }

    /// The external object that is referred to.
    pub(super) fn external(&mut self, object: &Object) -> Result<External, Fault> {
        let Some(id) = object.as_reference() else { return Ok(External::None) };
        self.view.work(1)?;
        if let Some(external) = self.externals.get(&id.number) {
            return Ok(external.clone());
        }
        let Some(body) = self.view.body(object)? else { return Ok(External::None) };
        let kept = &mut self.resources;
        let external = External::read(self.view, body, self.content_left, |resources, view| {
            kept.push(Resources::new(view.dictionary(&resources)?));
            Ok(kept.len() - 1)
        })?;
        self.externals.insert(id.number, external.clone());
        Ok(external)
    }

    /// Draws a form (8.10.1) with this graphics state, and with the resources of what draws it if it has none.
    pub(super) fn draw_form(
        &mut self,
        form: &Form,
        mut graphics: Graphics,
        resources: usize,
        is_off: bool,
    ) -> Result<(), Fault> {
        if self.depth == 0 {
            self.page.is_part = true;
            return Ok(());
        }
        self.page.is_part |= form.is_part;
        graphics.matrix = form.matrix.then(graphics.matrix);
        if let Some(bounds) = form.bounds {
            graphics.clip_to(graphics.matrix.rectangle(bounds), graphics.matrix.is_upright());
        }
        if form.is_group {
            graphics.begin_group();
        }
        self.depth -= 1;
        let painted = self.paint(&form.content, graphics, form.resources.unwrap_or(resources), is_off);
        self.depth += 1;
        painted
    }
}

fn restore(frame: &mut Frame) {
    if frame.unsaved > 0 {
        frame.unsaved -= 1;
    } else if let Some(graphics) = frame.saved.pop() {
        frame.graphics = graphics;
    }
}
