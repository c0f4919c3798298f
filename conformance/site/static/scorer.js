// Errata mention almost everything: a search lists their sections last.
var Scorer = {
  score: ([docname, , , , score]) => (docname.endsWith('/errata') ? score - 1000 : score),
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
