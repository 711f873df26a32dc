//! Texts and dates: from the document information dictionary (ISO 32000-1, 14.3.3), otherwise from XMP.

use crate::integrity::heuristics::{Layer, MetadataLayers, Moment};
use crate::metadata::{Conformance, Date, Dates, Texts, Xmp};
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;
use pdf_syntax::text::xmp::{self, Packet};
use pdf_syntax::text::xmp_property::Property;

/// Where texts and dates come from.
pub(crate) struct Info {
    info: Dictionary,
    packet: Option<Packet>,
    /// Whether XMP may replace the Info dictionary. Not in a file that is damaged or has no valid header, as the packet
    /// may belong to another object.
    packet_counts: bool,
}

impl Info {
    /// Reads both sources, as far as the file has them.
    pub(crate) fn read(document: &mut Document, catalog: &Dictionary) -> Result<Self, Fault> {
        let info = document.xref.trailer.get(b"Info").clone();
        let info = document.newest().dictionary(&info)?.into_owned();
        let packet = document.newest().metadata(catalog.get(b"Metadata"), xmp::LONGEST)?.map(|stream| stream.content);
        let packet_counts = !document.xref.is_repaired() && document.header.version.is_some();
        Ok(Self { info, packet: packet.map(|packet| Packet::parse(&packet)), packet_counts })
    }

    /// Returns the values of each layer. XMP that may not replace the Info dictionary is omitted.
    pub(crate) fn layers(&self, document: &mut Document) -> Result<MetadataLayers, Fault> {
        let mut info = None;
        if !self.info.is_empty() {
            let mut entry = |key| self.entry(document, key);
            info = Some(Layer {
                created: entry(b"CreationDate")?.map(Moment::read),
                modified: entry(b"ModDate")?.map(Moment::read),
                producer: entry(b"Producer")?,
                creator: entry(b"Creator")?,
                title: entry(b"Title")?,
                author: entry(b"Author")?,
            });
        }
        let packet = self.packet.as_ref().filter(|_| self.packet_counts);
        let xmp = packet.map(|packet| Layer {
            created: packet.get(Property::CreateDate).map(Moment::read),
            modified: packet.get(Property::ModifyDate).map(Moment::read),
            producer: packet.get(Property::PdfProducer),
            creator: packet.get(Property::CreatorTool),
            title: packet.get(Property::DcTitle),
            author: packet.get(Property::DcCreator),
        });
        let steps = packet.map(|packet| packet.history.clone()).unwrap_or_default();
        let is_derived = packet.is_some_and(|packet| packet.is_derived);
        Ok(MetadataLayers { info, xmp, steps, is_derived })
    }

    /// Returns the entry of the Info dictionary, otherwise the corresponding XMP property.
    fn either(&self, document: &mut Document, key: &[u8], property: Property) -> Result<Option<String>, Fault> {
        let entry = self.entry(document, key)?;
        Ok(entry.or_else(|| self.property(property).filter(|_| self.packet_counts)))
    }

    fn entry(&self, document: &mut Document, key: &[u8]) -> Result<Option<String>, Fault> {
        Ok(document.newest().resolve(self.info.get(key))?.as_string().and_then(text_string::decode))
    }

    fn property(&self, property: Property) -> Option<String> {
        self.packet.as_ref()?.get(property)
    }

    /// The texts about the document.
    pub(crate) fn texts(
        &self,
        document: &mut Document,
        catalog: &Dictionary,
        layers: &MetadataLayers,
    ) -> Result<Texts, Fault> {
        let mut either = |key: &[u8], property| self.either(document, key, property);
        Ok(Texts {
            subject: either(b"Subject", Property::DcDescription)?,
            keywords: either(b"Keywords", Property::PdfKeywords)?,
            title: layers.first(|layer| &layer.title),
            author: layers.first(|layer| &layer.author),
            creator: layers.first(|layer| &layer.creator),
            producer: layers.first(|layer| &layer.producer),
            language: language(&*document.newest().resolve(catalog.get(b"Lang"))?),
        })
    }

    /// Returns the properties of the XMP packet.
    pub(crate) fn xmp(&self) -> Xmp {
        Xmp {
            present: self.packet.is_some(),
            creator_tool: self.property(Property::CreatorTool),
            create_date: self.property(Property::CreateDate),
            modify_date: self.property(Property::ModifyDate),
            document_id: self.property(Property::DocumentId),
            instance_id: self.property(Property::InstanceId),
        }
    }

    /// The standards that the file claims to conform to: in XMP, and PDF/X up to part 3 in the Info dictionary (ISO 15930-1, 6.13).
    pub(crate) fn conformance(&self, document: &mut Document) -> Result<Conformance, Fault> {
        let level = self.property(Property::PdfAConformance).unwrap_or_default().to_ascii_lowercase();
        let mut pdf_x = self.property(Property::PdfXConformance).or_else(|| self.property(Property::PdfXVersion));
        for key in [b"GTS_PDFXConformance".as_slice(), b"GTS_PDFXVersion"] {
            if pdf_x.is_none() && self.info.has(key) {
                pdf_x = self.entry(document, key)?;
            }
        }
        Ok(Conformance {
            pdf_a: self.property(Property::PdfAPart).map(|part| part + &level),
            pdf_ua: self.property(Property::PdfUaPart),
            pdf_x: pdf_x.map(|version| version.trim_start_matches("PDF/X-").to_owned()),
        })
    }
}

/// When the document was created and modified.
pub(crate) fn dates(layers: &MetadataLayers) -> Dates {
    let date = |moment: Option<Moment>| {
        let iso8601 = moment.as_ref().and_then(|moment| moment.instant);
        Date { raw: moment.map(|moment| moment.text), iso8601, parsed: iso8601.is_some() }
    };
    let created = date(layers.first(|layer| &layer.created));
    let modified = date(layers.first(|layer| &layer.modified));
    let was_modified = created.iso8601.zip(modified.iso8601).is_some_and(|(created, modified)| modified > created);
    Dates { created, modified, was_modified }
}

/// A language is a text string; some writers make it a name.
fn language(object: &Object) -> Option<String> {
    object.as_string().or_else(|| object.as_name()).and_then(text_string::decode)
}
