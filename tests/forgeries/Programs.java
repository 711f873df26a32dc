import com.itextpdf.text.pdf.AcroFields;
import com.itextpdf.text.pdf.PdfAnnotation;
import com.itextpdf.text.pdf.PdfContentByte;
import com.itextpdf.text.pdf.PdfCopy;
import com.itextpdf.text.pdf.PdfImportedPage;
import com.itextpdf.text.pdf.PdfPTable;
import com.itextpdf.text.pdf.PdfReader;
import com.itextpdf.text.pdf.PdfSignatureAppearance;
import com.itextpdf.text.pdf.PdfSmartCopy;
import com.itextpdf.text.pdf.PdfStamper;
import com.itextpdf.text.pdf.PdfWriter;
import com.itextpdf.text.pdf.security.BouncyCastleDigest;
import com.itextpdf.text.pdf.security.LtvTimestamp;
import com.itextpdf.text.pdf.security.LtvVerification;
import com.itextpdf.text.pdf.security.MakeSignature;
import com.itextpdf.text.pdf.security.PrivateKeySignature;
import com.itextpdf.text.pdf.security.TSAClient;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Calendar;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.multipdf.Overlay;
import org.apache.pdfbox.multipdf.PDFMergerUtility;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationText;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationWidget;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.SignatureInterface;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.SignatureOptions;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.visible.PDVisibleSigProperties;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.visible.PDVisibleSignDesigner;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDField;
import org.apache.pdfbox.pdmodel.interactive.form.PDTextField;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInfoGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.tsp.TimeStampRequest;
import org.bouncycastle.tsp.TimeStampRequestGenerator;
import org.bouncycastle.tsp.TimeStampTokenGenerator;
import org.bouncycastle.tsp.TSPAlgorithms;

/**
 * Honest work by iText 2, iText 5 and PDFBox 2: `Programs.java KEY.p12 IN OUT` does to every file of IN what its name permits
 * (`P0-` to `P3-` are signed, others are not) and writes `WORK, NAME.pdf` into OUT. What fails is named on standard error.
 */
public class Programs {
    interface Work {
        void apply(byte[] file, OutputStream output) throws Exception;
    }

    static PrivateKey key;
    static Certificate[] chain;

    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        KeyStore store = KeyStore.getInstance("PKCS12");
        char[] password = "forge".toCharArray();
        try (InputStream input = Files.newInputStream(Path.of(arguments[0]))) {
            store.load(input, password);
        }
        String alias = store.aliases().nextElement();
        key = (PrivateKey) store.getKey(alias, password);
        chain = store.getCertificateChain(alias);
        try (var paths = Files.list(Path.of(arguments[1]))) {
            for (Path path : (Iterable<Path>) paths.sorted()::iterator) {
                byte[] file = Files.readAllBytes(path);
                String name = path.getFileName().toString();
                for (Map.Entry<String, Work> work : works(name).entrySet()) {
                    ByteArrayOutputStream output = new ByteArrayOutputStream();
                    try {
                        work.getValue().apply(file, output);
                    } catch (Exception | Error error) {
                        System.err.println(work.getKey() + ", " + name + ": " + error);
                        continue;
                    }
                    Files.write(Path.of(arguments[2], work.getKey() + ", " + name), output.toByteArray());
                }
            }
        }
    }

    static Map<String, Work> works(String name) {
        Map<String, Work> works = new LinkedHashMap<>();
        if (!name.matches("P[0-3]-.*")) {
            works.put("stamp by iText 5", Programs::stamp);
            works.put("smart copy by iText 5", Programs::smartCopy);
            works.put("merge by iText 5", Programs::merge);
            works.put("sheet by iText 5", Programs::sheet);
            works.put("compress by iText 5", Programs::compress);
            works.put("fill by iText 5", (file, output) -> fill(file, output, false));
            works.put("fill and flatten by iText 5", (file, output) -> fill(file, output, true));
            works.put("stamp by iText 2", Programs::oldStamp);
            works.put("copy by iText 2", Programs::oldCopy);
            works.put("table by iText 5", Programs::table);
            works.put("save by PDFBox", (file, output) -> { try (PDDocument document = PDDocument.load(file)) { document.save(output); } });
            works.put("merge by PDFBox", Programs::boxMerge);
            works.put("overlay by PDFBox", Programs::boxOverlay);
            works.put("page numbers by PDFBox", Programs::boxNumbers);
            works.put("fill by PDFBox", (file, output) -> boxFill(file, output, false, "Alice"));
            works.put("fill and flatten by PDFBox", (file, output) -> boxFill(file, output, true, "Alice"));
            return works;
        }
        int level = name.charAt(1) - '0';
        works.put("time-stamp by iText 5", (file, output) -> {
            PdfStamper stamper = PdfStamper.createSignature(new PdfReader(file), output, '\0', null, true);
            LtvTimestamp.timestamp(stamper.getSignatureAppearance(), new Stamps(), null);
        });
        works.put("validation data by iText 5", (file, output) -> {
            PdfStamper stamper = new PdfStamper(new PdfReader(file), output, '\0', true);
            LtvVerification data = stamper.getLtvVerification();
            data.addVerification("Signed", null, null, List.of(chain[0].getEncoded()));
            data.merge();
            stamper.close();
        });
        works.put("time-stamp by PDFBox", (file, output) -> boxSign(file, output, null, true));
        if (level == 1) {
            return works;
        }
        works.put("signature by iText 5", (file, output) -> sign(file, output, "Second", null));
        works.put("visible signature by iText 5", (file, output) -> sign(file, output, "Second", new com.itextpdf.text.Rectangle(300, 100, 480, 150)));
        works.put("standing field by iText 5", (file, output) -> sign(file, output, "Standing", null));
        works.put("signature by PDFBox", (file, output) -> boxSign(file, output, null, false));
        works.put("visible signature by PDFBox", (file, output) -> boxSign(file, output, visible(file), false));
        works.put("fill by iText 5", (file, output) -> {
            PdfStamper stamper = new PdfStamper(new PdfReader(file), output, '\0', true);
            stamper.getAcroFields().setField("Limit", "750");
            stamper.getAcroFields().setField("Country", "Spain");
            stamper.close();
        });
        works.put("form by iText 5", (file, output) -> {
            PdfStamper stamper = new PdfStamper(new PdfReader(file), output, '\0', true);
            stamper.getAcroFields().setField("Code", "123456");
            stamper.getAcroFields().setField("Amount", "750", "750.00");
            stamper.getAcroFields().setField("Way", "Cash");
            stamper.getAcroFields().setField("Remarks", "First line\nSecond line");
            stamper.close();
        });
        works.put("check by iText 5", (file, output) -> {
            PdfStamper stamper = new PdfStamper(new PdfReader(file), output, '\0', true);
            stamper.getAcroFields().setField("Agree", "Yes");
            stamper.close();
        });
        works.put("fill by iText 2", (file, output) -> {
            com.lowagie.text.pdf.PdfStamper stamper = new com.lowagie.text.pdf.PdfStamper(new com.lowagie.text.pdf.PdfReader(file), output, '\0', true);
            stamper.getAcroFields().setField("Limit", "750");
            stamper.close();
        });
        works.put("fill by PDFBox", Programs::boxFillAppended);
        if (level == 3) {
            works.put("note by iText 5", (file, output) -> {
                PdfStamper stamper = new PdfStamper(new PdfReader(file), output, '\0', true);
                stamper.addAnnotation(PdfAnnotation.createText(stamper.getWriter(), new com.itextpdf.text.Rectangle(520, 400, 540, 420), "Check", "Please check", false, "Comment"), 1);
                stamper.close();
            });
            works.put("note by PDFBox", Programs::boxNote);
        }
        return works;
    }

    // --- iText 5 ---

    static void sign(byte[] file, OutputStream output, String field, com.itextpdf.text.Rectangle place) throws Exception {
        PdfReader reader = new PdfReader(file);
        PdfStamper stamper = PdfStamper.createSignature(reader, output, '\0', null, true);
        PdfSignatureAppearance appearance = stamper.getSignatureAppearance();
        appearance.setReason("I agree");
        if (place != null) {
            appearance.setVisibleSignature(place, 1, field);
        } else if (reader.getAcroFields().getFieldItem(field) != null) {
            appearance.setVisibleSignature(field);
        }
        MakeSignature.signDetached(appearance, new BouncyCastleDigest(), new PrivateKeySignature(key, "SHA-256", null), chain, null, null, null, 0, MakeSignature.CryptoStandard.CMS);
    }

    /** Time-stamp tokens under the signer's own key. */
    static class Stamps implements TSAClient {
        public int getTokenSizeEstimate() {
            return 6000;
        }

        public MessageDigest getMessageDigest() throws java.security.GeneralSecurityException {
            return MessageDigest.getInstance("SHA-256");
        }

        public byte[] getTimeStampToken(byte[] imprint) throws Exception {
            return token(imprint);
        }
    }

    static byte[] token(byte[] imprint) throws Exception {
        SignerInfoGenerator signer = new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withRSA", key, (X509Certificate) chain[0]);
        var digests = new JcaDigestCalculatorProviderBuilder().build();
        TimeStampTokenGenerator generator = new TimeStampTokenGenerator(signer, digests.get(new AlgorithmIdentifier(TSPAlgorithms.SHA256)), new ASN1ObjectIdentifier("1.2.3.4"));
        generator.addCertificates(new JcaCertStore(List.of(chain)));
        TimeStampRequestGenerator requests = new TimeStampRequestGenerator();
        requests.setCertReq(true);
        TimeStampRequest request = requests.generate(TSPAlgorithms.SHA256, imprint);
        return generator.generate(request, BigInteger.TEN, new Date()).getEncoded();
    }

    static void stamp(byte[] file, OutputStream output) throws Exception {
        PdfReader reader = new PdfReader(file);
        PdfStamper stamper = new PdfStamper(reader, output);
        for (int page = 1; page <= reader.getNumberOfPages(); page++) {
            com.itextpdf.text.pdf.ColumnText.showTextAligned(stamper.getOverContent(page), com.itextpdf.text.Element.ALIGN_RIGHT, new com.itextpdf.text.Phrase("Page " + page), 560, 15, 0);
            PdfContentByte under = stamper.getUnderContent(page);
            under.setColorFill(com.itextpdf.text.BaseColor.LIGHT_GRAY);
            com.itextpdf.text.pdf.ColumnText.showTextAligned(under, com.itextpdf.text.Element.ALIGN_CENTER, new com.itextpdf.text.Phrase("COPY"), 300, 400, 45);
        }
        stamper.close();
    }

    static void smartCopy(byte[] file, OutputStream output) throws Exception {
        copy(file, output, 1);
    }

    static void merge(byte[] file, OutputStream output) throws Exception {
        copy(file, output, 2);
    }

    static void copy(byte[] file, OutputStream output, int times) throws Exception {
        com.itextpdf.text.Document document = new com.itextpdf.text.Document();
        PdfCopy copy = times == 1 ? new PdfSmartCopy(document, output) : new PdfCopy(document, output);
        document.open();
        for (int turn = 0; turn < times; turn++) {
            copy.addDocument(new PdfReader(file));
        }
        document.close();
    }

    static void sheet(byte[] file, OutputStream output) throws Exception {
        com.itextpdf.text.Document document = new com.itextpdf.text.Document(com.itextpdf.text.PageSize.A4.rotate());
        PdfWriter writer = PdfWriter.getInstance(document, output);
        document.open();
        PdfReader reader = new PdfReader(file);
        for (int place = 0; place < 2; place++) {
            PdfImportedPage page = writer.getImportedPage(reader, Math.min(place + 1, reader.getNumberOfPages()));
            writer.getDirectContent().addTemplate(page, 0.7f, 0, 0, 0.7f, 421 * place, 0);
        }
        document.close();
    }

    static void compress(byte[] file, OutputStream output) throws Exception {
        PdfStamper stamper = new PdfStamper(new PdfReader(file), output);
        stamper.setFullCompression();
        stamper.close();
    }

    static void fill(byte[] file, OutputStream output, boolean flatten) throws Exception {
        PdfStamper stamper = new PdfStamper(new PdfReader(file), output);
        AcroFields fields = stamper.getAcroFields();
        if (fields.getFields().isEmpty()) {
            throw new IllegalArgumentException("no form");
        }
        for (String name : List.copyOf(fields.getFields().keySet())) {
            if (fields.getFieldType(name) == AcroFields.FIELD_TYPE_TEXT) {
                fields.setField(name, "Alice");
            }
        }
        stamper.setFormFlattening(flatten);
        stamper.close();
    }

    static void table(byte[] file, OutputStream output) throws Exception {
        com.itextpdf.text.Document document = new com.itextpdf.text.Document();
        PdfWriter.getInstance(document, output);
        document.open();
        PdfPTable table = new PdfPTable(3);
        for (int cell = 0; cell < 30 + file.length % 60; cell++) {
            var made = new com.itextpdf.text.pdf.PdfPCell(new com.itextpdf.text.Phrase("Cell " + cell * 7 + ".00"));
            made.setBackgroundColor(cell / 3 % 2 == 0 ? com.itextpdf.text.BaseColor.WHITE : com.itextpdf.text.BaseColor.LIGHT_GRAY);
            table.addCell(made);
        }
        document.add(new com.itextpdf.text.Paragraph("Invoice"));
        document.add(table);
        document.close();
    }

    // --- iText 2 ---

    static void oldStamp(byte[] file, OutputStream output) throws Exception {
        var reader = new com.lowagie.text.pdf.PdfReader(file);
        var stamper = new com.lowagie.text.pdf.PdfStamper(reader, output);
        for (int page = 1; page <= reader.getNumberOfPages(); page++) {
            com.lowagie.text.pdf.ColumnText.showTextAligned(stamper.getOverContent(page), com.lowagie.text.Element.ALIGN_RIGHT, new com.lowagie.text.Phrase("Case 1:24-cv-00042   Filed 03/01/24   Page " + page), 560, 820, 0);
        }
        stamper.close();
    }

    static void oldCopy(byte[] file, OutputStream output) throws Exception {
        var document = new com.lowagie.text.Document();
        var copy = new com.lowagie.text.pdf.PdfCopy(document, output);
        document.open();
        var reader = new com.lowagie.text.pdf.PdfReader(file);
        for (int page = 1; page <= reader.getNumberOfPages(); page++) {
            copy.addPage(copy.getImportedPage(reader, page));
        }
        document.close();
    }

    // --- PDFBox 2 ---

    static void boxSign(byte[] file, OutputStream output, SignatureOptions options, boolean isStamp) throws Exception {
        try (PDDocument document = PDDocument.load(file)) {
            PDSignature signature = new PDSignature();
            signature.setFilter(PDSignature.FILTER_ADOBE_PPKLITE);
            if (isStamp) {
                signature.setType(COSName.DOC_TIME_STAMP);
                signature.setSubFilter(COSName.getPDFName("ETSI.RFC3161"));
            } else {
                signature.setSubFilter(PDSignature.SUBFILTER_ADBE_PKCS7_DETACHED);
                signature.setName("Second Signer");
                signature.setSignDate(Calendar.getInstance());
            }
            SignatureInterface made = content -> {
                try {
                    byte[] bytes = content.readAllBytes();
                    if (isStamp) {
                        return token(MessageDigest.getInstance("SHA-256").digest(bytes));
                    }
                    CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
                    generator.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder().build("SHA256withRSA", key, (X509Certificate) chain[0]));
                    generator.addCertificates(new JcaCertStore(List.of(chain)));
                    return generator.generate(new CMSProcessableByteArray(bytes), false).getEncoded();
                } catch (Exception error) {
                    throw new java.io.IOException(error);
                }
            };
            if (options == null) {
                document.addSignature(signature, made);
            } else {
                document.addSignature(signature, made, options);
            }
            document.saveIncremental(output);
        }
    }

    static SignatureOptions visible(byte[] file) throws Exception {
        BufferedImage image = new BufferedImage(180, 50, BufferedImage.TYPE_INT_RGB);
        var graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, 180, 50);
        graphics.setColor(Color.BLUE);
        graphics.drawString("Second Signer", 10, 30);
        PDVisibleSignDesigner designer = new PDVisibleSignDesigner(new ByteArrayInputStream(file), image, 1);
        designer.xAxis(300).yAxis(700).width(180).height(50).signatureFieldName("Second");
        PDVisibleSigProperties properties = new PDVisibleSigProperties();
        properties.signerName("Second Signer").preferredSize(0).page(1).visualSignEnabled(true).setPdVisibleSignature(designer);
        properties.buildSignature();
        SignatureOptions options = new SignatureOptions();
        options.setVisualSignature(properties.getVisibleSignature());
        options.setPage(0);
        return options;
    }

    static void boxFillAppended(byte[] file, OutputStream output) throws Exception {
        try (PDDocument document = PDDocument.load(file)) {
            PDAcroForm form = document.getDocumentCatalog().getAcroForm(null);
            PDField field = form.getField("Limit");
            field.setValue("750");
            field.getCOSObject().setNeedToBeUpdated(true);
            for (PDAnnotationWidget widget : field.getWidgets()) {
                widget.getCOSObject().setNeedToBeUpdated(true);
                COSDictionary appearance = widget.getAppearance().getCOSObject();
                appearance.setNeedToBeUpdated(true);
                ((COSDictionary) appearance.getDictionaryObject(COSName.N)).setNeedToBeUpdated(true);
            }
            form.getCOSObject().setNeedToBeUpdated(true);
            document.getDocumentCatalog().getCOSObject().setNeedToBeUpdated(true);
            document.saveIncremental(output);
        }
    }

    static void boxNote(byte[] file, OutputStream output) throws Exception {
        try (PDDocument document = PDDocument.load(file)) {
            PDPage page = document.getPage(0);
            PDAnnotationText note = new PDAnnotationText();
            note.setContents("Please check");
            note.setRectangle(new PDRectangle(520, 400, 20, 20));
            var notes = page.getAnnotations();
            notes.add(note);
            page.setAnnotations(notes);
            page.getCOSObject().setNeedToBeUpdated(true);
            note.getCOSObject().setNeedToBeUpdated(true);
            page.getCOSObject().getCOSArray(COSName.ANNOTS).setNeedToBeUpdated(true);
            document.getDocumentCatalog().getCOSObject().setNeedToBeUpdated(true);
            document.saveIncremental(output);
        }
    }

    static void boxMerge(byte[] file, OutputStream output) throws Exception {
        PDFMergerUtility merger = new PDFMergerUtility();
        merger.addSource(new ByteArrayInputStream(file));
        merger.addSource(new ByteArrayInputStream(file));
        merger.setDestinationStream(output);
        merger.mergeDocuments(null);
    }

    static void boxOverlay(byte[] file, OutputStream output) throws Exception {
        try (PDDocument over = new PDDocument(); PDDocument document = PDDocument.load(file); Overlay overlay = new Overlay()) {
            PDPage page = new PDPage(PDRectangle.A4);
            over.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(over, page)) {
                content.setNonStrokingColor(new Color(210, 220, 255));
                content.addRect(0, 800, 595, 42);
                content.fill();
                content.setNonStrokingColor(Color.BLACK);
                content.beginText();
                content.setFont(PDType1Font.HELVETICA, 12);
                content.newLineAtOffset(72, 815);
                content.showText("ACME Ltd");
                content.endText();
            }
            overlay.setInputPDF(document);
            overlay.setAllPagesOverlayPDF(over);
            overlay.setOverlayPosition(Overlay.Position.BACKGROUND);
            overlay.overlay(Map.of()).save(output);
        }
    }

    static void boxNumbers(byte[] file, OutputStream output) throws Exception {
        try (PDDocument document = PDDocument.load(file)) {
            int number = 0;
            for (PDPage page : document.getPages()) {
                try (PDPageContentStream content = new PDPageContentStream(document, page, PDPageContentStream.AppendMode.APPEND, true, true)) {
                    content.beginText();
                    content.setFont(PDType1Font.HELVETICA, 8);
                    content.newLineAtOffset(500, 15);
                    content.showText("Page " + ++number);
                    content.endText();
                }
            }
            document.save(output);
        }
    }

    static void boxFill(byte[] file, OutputStream output, boolean flatten, String value) throws Exception {
        try (PDDocument document = PDDocument.load(file)) {
            PDAcroForm form = document.getDocumentCatalog().getAcroForm();
            if (form == null) {
                throw new IllegalArgumentException("no form");
            }
            for (PDField field : form.getFieldTree()) {
                if (field instanceof PDTextField) {
                    field.setValue(value);
                }
            }
            if (flatten) {
                form.flatten();
            }
            document.save(output);
        }
    }
}
