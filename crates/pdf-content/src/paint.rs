//! Paint of paths and glyphs: color and alpha (8.6, 11.6.4.4).

use std::rc::Rc;

use super::color::{BLACK, Color, DeviceSpaces, MAX_COMPONENTS, Space};
use super::operation::{Operand, Operations};

/// Fill or stroke paint.
#[derive(Debug, Clone)]
pub(super) struct Paint {
    pub(super) space: Rc<Space>,
    pub(super) color: Color,
    pub(super) alpha: f32,
    /// Whether it is a pattern that may let the backdrop through.
    pub(super) is_pattern: bool,
    /// Name of a pattern that was set before any text was painted; read only when text follows.
    pub(super) unread_pattern: Option<Rc<[u8]>>,
}

impl Paint {
    /// Opaque black.
    pub(super) fn new() -> Self {
        Self { space: Rc::new(Space::Gray), color: BLACK, alpha: 1.0, is_pattern: false, unread_pattern: None }
    }

    /// Its alpha; 0 if it paints nothing.
    pub(super) fn painted_alpha(&self) -> f32 {
        if matches!(*self.space, Space::Nothing) { 0.0 } else { self.alpha }
    }

    /// `cs` and `CS`.
    pub(super) fn set_space(&mut self, space: Rc<Space>) {
        self.color = space.initial();
        self.is_pattern = matches!(*space, Space::Pattern);
        self.space = space;
    }

    /// Executes the other color operators (table 74), by their names for filling or stroking.
    pub(super) fn set_color(&mut self, operator: &[u8], operations: &Operations, devices: &DeviceSpaces) {
        let [gray, rgb, cmyk] = &devices.0;
        match (operator, &*self.space) {
            (b"g" | b"G", _) if let Some(gray) = gray => self.space = Rc::clone(gray),
            (b"rg" | b"RG", _) if let Some(rgb) = rgb => self.space = Rc::clone(rgb),
            (b"k" | b"K", _) if let Some(cmyk) = cmyk => self.space = Rc::clone(cmyk),
            (b"g" | b"G", Space::Gray) | (b"rg" | b"RG", Space::Rgb) | (b"k" | b"K", Space::Cmyk) => {}
            (b"g" | b"G", _) => self.space = Rc::new(Space::Gray),
            (b"rg" | b"RG", _) => self.space = Rc::new(Space::Rgb),
            (b"k" | b"K", _) => self.space = Rc::new(Space::Cmyk),
            _ => {}
        }
        let mut components = [0.0; MAX_COMPONENTS];
        let mut count = 0;
        for (component, operand) in components.iter_mut().zip(operations.operands()) {
            if let Operand::Number(number) = operand {
                *component = *number;
                count += 1;
            }
        }
        self.is_pattern = matches!(*self.space, Space::Pattern);
        self.color = components.get(..count).and_then(|components| self.space.color(components));
    }
}
