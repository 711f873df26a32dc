//! Images by every filter (ISO 32000-1, 8.9), each of eight by eight pixels.

use super::codecs::{fax, jbig2, jpeg, jpeg2000, predicted};
use super::sheet::{Kind::Seen, Sheet};

const IMAGE: &str = "/Type /XObject /Subtype /Image /Width 8 /Height 8";

fn show(sheet: &mut Sheet, name: &str, image: u32) {
    sheet.resource("XObject", name, &format!("{image} 0 R"));
    sheet.place(&format!("20 0 0 20 0 0 cm /{name} Do"));
}

/// DCT, once plain and once within Flate.
pub(super) fn photographs(sheet: &mut Sheet) {
    let entries = format!("{IMAGE} /BitsPerComponent 8 /ColorSpace /DeviceGray");
    let image = sheet.stream(Seen, &format!("{entries} /Filter /DCTDecode"), jpeg());
    show(sheet, "Thumb", image);
    let packed = crate::pdf::deflate(&jpeg());
    let image = sheet.stream(Seen, &format!("{entries} /Filter [/FlateDecode /DCTDecode]"), packed);
    show(sheet, "Im1", image);
}

/// CCITT and JBIG2.
pub(super) fn scans(sheet: &mut Sheet) {
    let entries = format!("{IMAGE} /BitsPerComponent 1 /ColorSpace /DeviceGray");
    let parameters = "/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 8 /Rows 8 >>";
    let image = sheet.stream(Seen, &format!("{entries} {parameters}"), fax());
    show(sheet, "B", image);
    let image = sheet.stream(Seen, &format!("{entries} /Filter /JBIG2Decode"), jbig2());
    show(sheet, "Im2", image);
}

/// JPX.
pub(super) fn wavelets(sheet: &mut Sheet) {
    let image = sheet.stream(Seen, &format!("{IMAGE} /ColorSpace /DeviceGray /Filter /JPXDecode"), jpeg2000());
    show(sheet, "Metadata", image);
}

/// Flate with a predictor, a soft mask, and a stencil.
pub(super) fn predictions(sheet: &mut Sheet) {
    let ramp: Vec<u8> = (0..64).map(|pixel| 255 - pixel * 3).collect();
    let entries = format!("{IMAGE} /BitsPerComponent 8 /ColorSpace /DeviceGray");
    let mask = sheet.compressed(Seen, &entries, ramp);
    let parameters = "/DecodeParms << /Predictor 15 /Colors 3 /Columns 8 >>";
    let entries = format!("{IMAGE} /BitsPerComponent 8 /ColorSpace /DeviceRGB /SMask {mask} 0 R {parameters}");
    let image = sheet.compressed(Seen, &entries, predicted());
    show(sheet, "Im3", image);
    let entries = format!("{IMAGE} /ImageMask true /BitsPerComponent 1 /Decode [1 0]");
    let image = sheet.stream(Seen, &entries, [0xf0, 0xf0, 0xf0, 0xf0, 0x0f, 0x0f, 0x0f, 0x0f]);
    show(sheet, "Im4", image);
}

/// Colours that are tables, mixtures and profiles.
pub(super) fn colours(sheet: &mut Sheet) {
    let table = sheet.stream(Seen, "", [200, 30, 30, 30, 30, 200]);
    let space = sheet.add(Seen, format!("[/Indexed /DeviceRGB 1 {table} 0 R]"));
    let entries = format!("{IMAGE} /BitsPerComponent 1 /ColorSpace {space} 0 R");
    let image = sheet.stream(Seen, &entries, [0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55]);
    show(sheet, "Im5", image);
    let function = "<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0.1 0.9 0.2 0] /N 1 >>";
    let function = sheet.add(Seen, function);
    let space = sheet.add(Seen, format!("[/Separation /Seal /DeviceCMYK {function} 0 R]"));
    sheet.resource("ColorSpace", "K", &format!("{space} 0 R"));
    sheet.place("/K cs 0.8 scn 0 0 60 15 re f");
}
