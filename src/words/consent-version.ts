/**
 * The version of the wording of the consent question (`consent` of each language). A new one asks everybody again; a test fails
 * when the wording changes and this does not. Before there were versions, the wording was that of version 1.
 */
export const CONSENT_VERSION = 1;
