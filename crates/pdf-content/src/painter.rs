//! Interprets content streams (annex A): painted text, paths and images with their positions.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::area::{Effect, PaintStyle};
use super::color::DeviceSpaces;
use super::fonts::Fonts;
use super::form::{External, FormXObject};
use super::frame::Frame;
use super::graphics::Graphics;
use super::layer::{Layer, OptionalContent};
use super::operation::{Operand, Operations};
use super::page_model::PageText;
use super::paint::Paint;
use super::reading::{Outcome, Reading, is_regular};
use super::resource::Resources;
use super::shown_glyphs::MeasuredFont;
use super::stroke::{LineCap, LineJoin};
use super::text_showing::Pen;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::strict_content::is_strict_content;
use pdf_syntax::text::text_string;

/// Maximum decoded content of a page, in bytes; a form counts each time it is painted.
pub(super) const MAX_CONTENT_BYTES: usize = 1 << 20;
/// Maximum nesting of form XObjects.
const MAX_FORM_DEPTH: usize = 8;

/// Paints one page.
pub(super) struct Painter<'p, 'v, 's> {
    pub view: &'p mut View<'v, 's>,
    pub(super) page: PageText,
    pub(super) annotation: Option<u32>,
    fonts: &'p mut Fonts,
    pub(super) layers: &'p OptionalContent,
    pub(super) resources: Vec<Resources>,
    externals: BTreeMap<u32, External>,
    /// What the glyphs of Type 3 fonts paint.
    pub(super) measured: Vec<MeasuredFont>,
    pub(super) content_left: usize,
    depth: usize,
    /// Number of transparency groups.
    groups: u32,
    /// Whether it paints a pattern cell or a soft mask, and whether that mask is by luminosity.
    pub(super) is_apart: bool,
    pub(super) is_mask: bool,
    /// Whether content that readers may parse differently is not read.
    pub(super) requires_strict: bool,
    pub(super) reading: Reading,
    /// Whether viewers read some of the content differently.
    pub(super) is_irregular: bool,
    /// Whether a content stream was not read to its end.
    pub(super) is_ended: bool,
    /// Whether comments may be operations that show text.
    pub(super) has_comments: bool,
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
            measured: Vec::new(),
            content_left: MAX_CONTENT_BYTES,
            depth: MAX_FORM_DEPTH,
            groups: 0,
            is_apart: false,
            is_mask: false,
            requires_strict: false,
            reading: Reading::default(),
            is_irregular: false,
            is_ended: false,
            has_comments: false,
        }
    }

    /// Requires content that all readers parse alike, and names that the appearance's own resources have.
    pub(super) fn require_strict(&mut self) {
        self.requires_strict = true;
        self.page.is_appearance = true;
        self.resources.push(Resources::unknown());
    }

    /// Reads content and decrypts streams as a viewer does.
    pub(super) fn read_as(&mut self, reading: Reading) {
        (self.reading, self.view.decryption) = (reading, reading.decryption());
    }

    /// Stores resources and returns their index.
    pub(super) fn keep(&mut self, resources: Dictionary) -> usize {
        Resources::keep(&mut self.resources, resources)
    }

    /// Interprets content with an initial graphics state.
    pub(super) fn paint(
        &mut self,
        content: &[u8],
        graphics: Graphics,
        resources: usize,
        layer: Layer,
    ) -> Result<(), Fault> {
        self.page.is_part |= content.len() > self.content_left || self.requires_strict && !is_strict_content(content);
        let content = content.get(..self.content_left).unwrap_or(content);
        self.content_left -= content.len();
        // the cost of operations besides their bytes
        self.view.work(2 * content.len())?;
        let mut operations = Operations::new(content).reading_comments(self.reading == Reading::Uncommented);
        let mut frame = Frame::new(graphics, resources, layer);
        if self.reading.restores_first_state() && self.depth == MAX_FORM_DEPTH {
            frame = frame.restoring_first();
        }
        while let Some(operator) = operations.next() {
            match self.read(operator, &mut operations, &mut frame) {
                Outcome::Executed => self.operation(operator, &mut operations, &mut frame)?,
                Outcome::Skipped => {}
                Outcome::Ended => {
                    self.is_ended = true;
                    break;
                }
            }
        }
        self.page.is_part |= operations.is_part;
        self.has_comments |= operations.has_comments;
        Ok(())
    }

    /// The state of optional content.
    pub(super) fn layer(&mut self, content: &Object) -> Result<Layer, Fault> {
        let layer = self.layers.state(self.view, content, self.reading)?;
        if Reading::VIEWERS.contains(&self.reading) {
            // that others show more is no choice of words
            self.is_ended |= layer == Layer::Off;
        } else {
            self.is_irregular |= self.layers.is_contested(self.view, content)?;
        }
        Ok(layer)
    }

    /// Prepares an operation as it is read.
    fn read(&mut self, operator: &[u8], operations: &mut Operations, frame: &mut Frame) -> Outcome {
        if self.reading.is_lenient() {
            self.is_irregular |= !is_regular(operator, operations.operands()) || frame.is_irregular(operator);
            return Outcome::Executed;
        }
        match self.reading.apply(operator, operations) {
            Outcome::Executed => frame.nest(operator, self.reading),
            outcome => outcome,
        }
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
            b"Tj" | b"TJ" | b"'" | b"\"" => self.show(operations, frame)?,
            b"Tf" => self.set_font(operations, frame)?,
            b"gs" => self.set_parameters(operations, frame)?,
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" | b"S" | b"s" | b"n" => self.end_path(operator, frame),
            b"sh" => self.shade(operations, frame)?,
            b"Do" => self.draw(operations, frame)?,
            b"BI" => {
                if let Some(image) = operations.skip_image() {
                    self.image(&image, frame, Layer::None, None)?;
                }
            }
            b"BMC" => frame.marked.begin(Layer::None, (None, None), &self.page),
            b"BDC" => self.begin_marked(operations, frame)?,
            b"EMC" => frame.marked.end(&mut self.page),
            b"cs" | b"CS" => self.set_space(operator, operations, frame)?,
            b"g" | b"rg" | b"k" | b"sc" | b"scn" => {
                let devices = self.device_spaces(frame)?;
                frame.graphics.fill.set_color(operator, operations, &devices);
                self.set_pattern(operations, frame)?;
            }
            b"G" | b"RG" | b"K" | b"SC" | b"SCN" => {
                let devices = self.device_spaces(frame)?;
                frame.graphics.stroke.set_color(operator, operations, &devices);
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn device_spaces(&mut self, frame: &Frame) -> Result<Rc<DeviceSpaces>, Fault> {
        let resources = self.resources.get_mut(frame.resources);
        resources.map_or_else(|| Ok(Rc::default()), |resources| resources.device_spaces(self.view))
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
        graphics.blend = parameters.blend.unwrap_or(graphics.blend);
        let line = &mut graphics.line;
        line.width = parameters.line_width.unwrap_or(line.width);
        line.cap = parameters.line_cap.map_or(line.cap, LineCap::from);
        line.join = parameters.line_join.map_or(line.join, LineJoin::from);
        line.miter_limit = parameters.miter_limit.unwrap_or(line.miter_limit);
        if let Some(dashes) = &parameters.dashes {
            line.dashes.clone_from(dashes);
        }
        if let Some((font, size)) = &parameters.font {
            (graphics.text.font, graphics.text.size) = (Some(Rc::clone(font)), *size);
        }
        if let Some(mask) = &parameters.mask {
            self.set_mask(mask, frame)?;
        }
        Ok(())
    }

    fn set_font(&mut self, operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        let [.., Operand::Name(name), Operand::Number(size)] = operations.operands() else { return Ok(()) };
        let Some(resources) = self.resources.get_mut(frame.resources) else { return Ok(()) };
        let font = resources.font(self.view, self.fonts, operations.text(*name))?;
        self.is_irregular |= font.is_irregular();
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

    /// Returns the style of an operation that paints; without `paint`, of an image or shading.
    pub(super) fn paint_style(&mut self, frame: &Frame, paint: Option<&Paint>) -> PaintStyle {
        let graphics = &frame.graphics;
        let alpha = paint.map_or(graphics.fill.alpha, Paint::painted_alpha) * graphics.group_alpha;
        let color = paint.and_then(|paint| paint.color);
        let mut is_solid = graphics.hides(color, alpha) && !paint.is_some_and(|paint| paint.is_pattern);
        let mut clip_shape = graphics.clip_shape;
        let mut effect = graphics.effect(paint, alpha);
        if let Some(mask) = &graphics.mask {
            clip_shape = self.page.outlines.push_clip((**mask).clone(), clip_shape);
            if clip_shape.is_none() {
                (is_solid, effect) = (false, Effect::Unknown);
            }
        }
        let (clip, layer, annotation) = (graphics.clip, frame.layer(), self.annotation);
        PaintStyle { color, alpha, clip, clip_shape, is_solid, effect, layer, annotation, object: None }
    }

    fn begin_marked(&mut self, operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        let named;
        let (tag, properties) = match operations.operands() {
            [.., Operand::Name(tag), Operand::Name(name)] => {
                let Some(resources) = self.resources.get_mut(frame.resources) else { return Ok(()) };
                named = resources.get(self.view, b"Properties", operations.text(*name))?;
                (operations.text(*tag), &*named)
            }
            [.., Operand::Name(tag), Operand::Dictionary(properties)] => {
                (operations.text(*tag), operations.dictionary(*properties))
            }
            _ => (&b""[..], &Object::Null),
        };
        let layer = if tag == b"OC" { self.layer(properties)? } else { Layer::None };
        let dictionary = self.view.dictionary(properties)?;
        let actual = dictionary.get(b"ActualText").as_string();
        let actual = actual.map(|text| text_string::decode(text).unwrap_or_default());
        // those of forms and appearances are counted apart (14.7.4.2)
        let is_page = self.depth == MAX_FORM_DEPTH && self.annotation.is_none() && !self.is_apart;
        let identifier = dictionary.get(b"MCID").as_integer().filter(|_| is_page);
        frame.marked.begin(layer, (actual, identifier), &self.page);
        Ok(())
    }

    fn show(&mut self, operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        self.read_mask(frame)?;
        self.read_pattern(frame)?;
        let mut style = self.paint_style(frame, Some(frame.graphics.text_paint()));
        // letters that are only stroked, with gaps alone
        if matches!(frame.graphics.text.mode, 1 | 5)
            && frame.graphics.line.dashes.as_ref().is_some_and(|dashes| dashes.share() <= 0.0)
        {
            style.alpha = 0.0;
        }
        // strokes reach beyond the letters, and at sharp corners far beyond
        self.page.is_part |= self.requires_strict && frame.graphics.has_thick_letters();
        let font = match &frame.graphics.text.font {
            Some(font) => Rc::clone(font),
            None => self.fonts.unknown(),
        };
        // invisible glyphs of Type 3 fonts are painted all the same (9.3.6), but only over other text
        let may_hide = font.is_type3 && !self.is_apart && !self.page.runs.is_empty();
        let shown = match operations.operands() {
            array @ [Operand::Open, ..] => array,
            [.., last] => std::slice::from_ref(last),
            [] => &[],
        };
        let strings = shown.iter().filter_map(|operand| match operand {
            Operand::Text(text) => Some(operations.text(*text)),
            _ => None,
        });
        let known = self.known_glyphs(&font, strings)?;
        let draws = self.reading == Reading::Glyphs;
        let mut pen = Pen::new(&mut self.page, &mut frame.text, &frame.graphics, &font, style).knowing(known, draws);
        for operand in shown {
            match operand {
                Operand::Text(text) => pen.show(operations.text(*text)),
                Operand::Number(number) => pen.shift(*number),
                _ => {}
            }
        }
        let glyphs = pen.finish();
        if may_hide {
            self.paint_glyphs(&font, &glyphs, style)?;
        }
        // the clip that glyphs add is unknown
        frame.graphics.is_clip_exact &= frame.graphics.text.mode < 4;
        Ok(())
    }

    /// `Do`: paints an external object.
    fn draw(&mut self, operations: &Operations, frame: &Frame) -> Result<(), Fault> {
        let (Some(name), Some(resources)) = (operations.name(), self.resources.get_mut(frame.resources)) else {
            return Ok(());
        };
        let object = resources.get(self.view, b"XObject", name)?;
        match self.external(&object)? {
            External::FormXObject(form) => {
                let layer = frame.layer().max(self.layer(&form.layer)?);
                self.draw_form(&form, frame.graphics.clone(), frame.resources, layer)?;
            }
            External::Image(image) => {
                let layer = self.layer(&image.layer)?;
                self.image(&image, frame, layer, object.as_reference().map(|id| id.number))?;
            }
            External::None => self.page.is_part |= self.requires_strict,
        }
        Ok(())
    }

    /// Returns a referenced external object, cached.
    pub(super) fn external(&mut self, object: &Object) -> Result<External, Fault> {
        let Some(id) = object.as_reference() else { return Ok(External::None) };
        self.view.work(1)?;
        if let Some(external) = self.externals.get(&id.number) {
            return Ok(external.clone());
        }
        let Some(body) = self.view.body(object)? else { return Ok(External::None) };
        let kept = &mut self.resources;
        let external = External::read(self.view, (&body, object), self.content_left, |resources, view| {
            Ok(Resources::keep(kept, view.dictionary(&resources)?.into_owned()))
        })?;
        self.externals.insert(id.number, external.clone());
        Ok(external)
    }

    /// Paints a form XObject (8.10.1). Without its own resources it uses the resources of the content that paints it.
    pub(super) fn draw_form(
        &mut self,
        form: &FormXObject,
        mut graphics: Graphics,
        resources: usize,
        layer: Layer,
    ) -> Result<(), Fault> {
        if self.depth == 0 {
            self.page.is_part = true;
            return Ok(());
        }
        self.page.is_part |= form.is_part;
        graphics.matrix = form.matrix.then(graphics.matrix);
        if let Some(bounds) = form.bounds {
            graphics.clip_to(graphics.matrix.rectangle(bounds));
            if !graphics.matrix.is_upright() {
                let outline = self.page.outlines.push_quad(graphics.matrix.quad(bounds));
                graphics.clip_to_shape(outline, &mut self.page.outlines);
            }
        }
        if form.is_group {
            self.groups += 1;
            graphics.begin_group(self.groups);
        }
        self.depth -= 1;
        let painted = self.paint(&form.content, graphics, form.resources.unwrap_or(resources), layer);
        self.depth += 1;
        painted
    }
}
