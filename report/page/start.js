/* Comes last, when everything above exists. */

showSummary ();
startFilter ();
startMatrix ();
applyFilter ();
startPanel ();
followAddress ();
performance.mark ("rspcheck-ready");
