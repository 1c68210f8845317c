/** The IPTC digital source type of media that a trained model made out of photos; every result has a photo of people in it. */
export const SOURCE_TYPE =
  'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';

/** XMP that says so to programs; it is not signed, and a platform may strip it. */
export const PROVENANCE_XMP =
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>' +
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" ' +
  'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="Darkroom" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
  `Iptc4xmpExt:DigitalSourceType="${SOURCE_TYPE}">` +
  '<dc:description><rdf:Alt><rdf:li xml:lang="x-default">AI-generated</rdf:li></rdf:Alt></dc:description>' +
  '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';

/** Room for the mark in any of the formats. */
export const TAG_BYTES = 2048;
