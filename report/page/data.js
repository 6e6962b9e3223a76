"use strict";

/* The results of the run; report/page.c describes them. */
const data = JSON.parse (document.getElementById ("data").textContent);
const models = data.models.map (model => model.name);

/* Relations, as numbers of data.relations. */
const WEAKER = 0, STRONGER = 1, EQUAL = 3;

/* Tests by the part of the address after #test=: the name, numbered if several tests have it. */
const testsByKey = new Map ();

for (const test of data.tests)
  {
    let key = test.name;
    for (let i = 2; testsByKey.has (key); i++)
      key = `${test.name}~${i}`;
    test.key = key;
    test.sought = `${test.name}\n${test.path ?? ""}`.toLowerCase ();
    testsByKey.set (key, test);
  }

const verdictOf = cell => data.verdicts[cell.v];
const flagsOf = cell => (cell.f ?? []).map (flag => data.flags[flag]);
const isFinished = cell => cell !== null && cell.reason === undefined;
/* Are its states what it is compared by? Not those of a program that is undefined under the model. */
const hasStates = cell => isFinished (cell) && !cell.any;
const count = number => number === null ? "?" : String (number ?? 0);
const plural = (n, thing) => `${n.toLocaleString ("en")} ${thing}${n === 1 ? "" : "s"}`;

/* The evidence for a flag, in words; "" if there is none. */
const evidenceOf = (cell, flag) => (cell.e ?? []).find (([number]) => data.flags[number] === flag)?.[1] ?? "";

/* How model a relates to model b on a test. */
function relationOf (test, a, b)
{
  if (a > b)
    {
      const other = relationOf (test, b, a);
      return other === WEAKER ? STRONGER : other === STRONGER ? WEAKER : other;
    }
  /* Pairs a < b are in the order (0,1), (0,2), …, (1,2), … */
  return test.relations[a * models.length - a * (a + 1) / 2 + b - a - 1];
}

/* The cell that the others of a row are compared with. */
const firstOf = test => test.cells.findIndex (cell => cell !== null);

/* A model's states on a test: number of the state → { executions, undefined }. */
function statesOf (cell)
{
  const found = new Map (), s = cell?.s ?? [];
  for (let i = 0; i < s.length; i += 3)
    found.set (s[i], { executions: s[i + 1], undefined: s[i + 2] });
  return found;
}
