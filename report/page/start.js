/* Last: everything above is there. */

showSummary ();
startFilter ();
startMatrix ();
applyFilter ();
startPanel ();
followAddress ();
performance.mark ("rspcheck-ready");
