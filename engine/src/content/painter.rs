//! Carries out the operations of a content stream (annex A), as far as they say what is drawn where.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::drawn::{AreaKind, PageText, PaintStyle};
use super::fonts::Fonts;
use super::form::{External, FormXObject};
use super::frame::Frame;
use super::geometry::Rectangle;
use super::graphics::Graphics;
use super::layer::OptionalContent;
use super::operation::{Operand, Operations};
use super::paint::Paint;
use super::resource::Resources;
use super::show::Pen;
use crate::document::view::View;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;
use crate::text::text_string;

/// Decoded content of one page that is looked at, in bytes; that of a form counts each time it is drawn.
pub(super) const CONTENT: usize = 1 << 20;
/// How deep forms may stand in each other.
const DEPTH: usize = 8;
/// Points that lines, and shapes that are no rectangles, must be wide and high to be told of: enough to be beneath text.
const THIN: f64 = 3.0;
const UNIT: Rectangle = Rectangle { left: 0.0, bottom: 0.0, right: 1.0, top: 1.0 };

/// Paints one page.
pub(super) struct Painter<'p, 'v, 's> {
    pub(super) view: &'p mut View<'v, 's>,
    pub(super) page: PageText,
    pub(super) annotation: Option<u32>,
    fonts: &'p mut Fonts,
    layers: &'p OptionalContent,
    resources: Vec<Resources>,
    externals: BTreeMap<u32, External>,
    pub(super) content_left: usize,
    depth: usize,
}

impl<'p, 'v, 's> Painter<'p, 'v, 's> {
    pub(super) fn new(
        view: &'p mut View<'v, 's>,
        fonts: &'p mut Fonts,
        layers: &'p OptionalContent,
        page: PageText,
    ) -> Self {
        Self {
            view,
            page,
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
    pub(super) fn keep(&mut self, resources: Dictionary) -> usize {
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
        if frame.operation(operator, operations) {
            self.page.is_part |= frame.has_unsaved();
            return Ok(());
        }
        if frame.text_operation(operator, operations) && !matches!(operator, b"'" | b"\"") {
            return Ok(());
        }
        match operator {
            b"Tj" | b"TJ" | b"'" | b"\"" => self.show(operations, frame),
            b"Tf" => self.set_font(operations, frame)?,
            b"gs" => self.set_parameters(operations, frame)?,
            b"f" | b"F" | b"f*" => self.end_path(frame, true, false),
            b"B" | b"B*" | b"b" | b"b*" => self.end_path(frame, true, true),
            b"S" | b"s" => self.end_path(frame, false, true),
            b"n" => self.end_path(frame, false, false),
            b"sh" => {
                let look = self.look(frame, None);
                let is_opaque = frame.graphics.is_unmixed() && look.alpha >= 1.0;
                self.page.push_area(AreaKind::Shading, frame.graphics.clip, (is_opaque, is_opaque), look);
            }
            b"Do" => self.draw(operations, frame)?,
            b"BI" => {
                let is_mask = operations.skip_image();
                self.image(!is_mask, frame, false, None);
            }
            b"BMC" | b"BDC" => self.begin_marked(operations, frame)?,
            b"EMC" => frame.marked.end(&mut self.page),
            b"cs" | b"CS" => self.set_space(operator, operations, frame)?,
            b"g" | b"rg" | b"k" | b"sc" | b"scn" => frame.graphics.fill.set_color(operator, operations),
            b"G" | b"RG" | b"K" | b"SC" | b"SCN" => frame.graphics.stroke.set_color(operator, operations),
            _ => {}
        }
        Ok(())
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

    fn set_space(&mut self, operator: &[u8], operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        let (Some(name), Some(resources)) = (operations.name(), self.resources.get_mut(frame.resources)) else {
            return Ok(());
        };
        let space = resources.space(self.view, name)?;
        let graphics = &mut frame.graphics;
        let paint = if operator == b"cs" { &mut graphics.fill } else { &mut graphics.stroke };
        paint.set_space(space);
        Ok(())
    }

    /// How things look here; those that have colours of their own have none.
    fn look(&self, frame: &Frame, paint: Option<&Paint>) -> PaintStyle {
        let graphics = &frame.graphics;
        let alpha = paint.map_or(graphics.fill.alpha, |paint| paint.alpha) * graphics.group_alpha;
        PaintStyle {
            color: paint.and_then(|paint| paint.color),
            alpha,
            clip: graphics.clip,
            is_off: frame.is_off(),
            annotation: self.annotation,
            object: None,
        }
    }

    fn end_path(&mut self, frame: &mut Frame, fills: bool, strokes: bool) {
        let path = frame.path.take();
        let graphics = &frame.graphics;
        if fills {
            let look = self.look(frame, Some(&graphics.fill));
            let is_opaque = graphics.is_opaque(&graphics.fill);
            for (rectangle, is_filled) in path.rectangles() {
                self.page.push_area(AreaKind::Rectangle, rectangle, (is_opaque && is_filled, is_opaque), look);
            }
            if let Some(others) = path.others().filter(|others| others.width().min(others.height()) >= THIN) {
                self.page.push_shape(others, is_opaque, look);
            }
        }
        let width = graphics.line_width * graphics.matrix.scale();
        if strokes && width >= THIN {
            let look = self.look(frame, Some(&graphics.stroke));
            let is_opaque = graphics.is_opaque(&graphics.stroke) && !graphics.is_dashed;
            for (line, is_filled) in path.stroked(width) {
                let kind = if is_filled { AreaKind::Rectangle } else { AreaKind::Shape };
                self.page.push_area(kind, line, (is_opaque && is_filled, is_opaque), look);
            }
        }
        if let (true, Some(bounds)) = (frame.clips, path.bounds()) {
            frame.graphics.clip_to(bounds, path.is_rectangle());
        }
        frame.clips = false;
    }

    fn image(&mut self, is_opaque: bool, frame: &Frame, is_off: bool, object: Option<u32>) {
        let matrix = frame.graphics.matrix;
        let mut look = self.look(frame, None);
        look.is_off |= is_off;
        look.object = object;
        let graphics = &frame.graphics;
        let is_solid = is_opaque && graphics.is_unmixed() && look.alpha >= 1.0;
        let is_opaque = is_solid && matrix.is_upright();
        self.page.push_area(AreaKind::Image, matrix.rectangle(UNIT), (is_opaque, is_solid), look);
    }

    fn begin_marked(&mut self, operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        let named;
        let (tag, properties) = match operations.operands() {
            [.., Operand::Name(tag), Operand::Name(name)] => {
                let Some(resources) = self.resources.get_mut(frame.resources) else { return Ok(()) };
                named = resources.get(self.view, b"Properties", name)?;
                (tag.as_bytes(), &*named)
            }
            [.., Operand::Name(tag), Operand::Dictionary(properties)] => (tag.as_bytes(), &**properties),
            _ => (&b""[..], &Object::Null),
        };
        let is_off = tag == b"OC" && self.layers.is_off(self.view, properties)?;
        let dictionary = self.view.dictionary(properties)?;
        let actual = dictionary.get(b"ActualText").as_string();
        let actual = actual.map(|text| text_string::decode(text).unwrap_or_default());
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
    fn draw(&mut self, operations: &Operations, frame: &Frame) -> Result<(), Fault> {
        let (Some(name), Some(resources)) = (operations.name(), self.resources.get_mut(frame.resources)) else {
            return Ok(());
        };
        let object = resources.get(self.view, b"XObject", name)?;
        match self.external(&object)? {
            External::FormXObject(form) => {
                let is_off = frame.is_off() || self.layers.is_off(self.view, &form.layer)?;
                self.draw_form(&form, frame.graphics.clone(), frame.resources, is_off)?;
            }
            External::Image { is_opaque, layer } => {
                let is_off = self.layers.is_off(self.view, &layer)?;
                self.image(is_opaque, frame, is_off, object.as_reference().map(|id| id.number));
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
        let external = External::read(self.view, &body, self.content_left, |resources, view| {
            kept.push(Resources::new(view.dictionary(&resources)?.into_owned()));
            Ok(kept.len() - 1)
        })?;
        self.externals.insert(id.number, external.clone());
        Ok(external)
    }

    /// Draws a form (8.10.1) with this graphics state, and with the resources of what draws it if it has none.
    pub(super) fn draw_form(
        &mut self,
        form: &FormXObject,
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
