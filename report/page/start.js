/* Comes last, when everything above exists. */

showSummary ();
startFilter ();
startMatrix ();
applyFilter ();
startPanel ();
followAddress ();
startLive ();
performance.mark ("rspcheck-ready");
