/* A live page (-live) has the workbench in it, which edits a test in a frame over the page: the address says which. */

const live = byId ("live") && JSON.parse (byId ("live").textContent);

/* A model's options, as those of the command line: "unroll=3 variant=x" */
const optionsOf = model => (model.options ?? "").split (" ").filter (word => /=/.test (word) && !/=(bounded|none|false|all)$|^unroll=2$/.test (word))
  .map (word => `-${word.replace ("=", " ")}`);

async function editTest (test)
{
  const common = data.models.length ? optionsOf (data.models[0]).filter (option => data.models.every (model => optionsOf (model).includes (option))) : [];
  const named = data.models.map (model => [`${model.name.split (" ")[0]}.cat`, ...optionsOf (model).filter (option => !common.includes (option))].join (" "));
  location.hash = window.accepted = await packState ({ name: (test.path ?? `${test.name}.litmus`).split ("/").at (-1), texts: { ...live.texts, "test.litmus": test.source },
                                     tab: "test.litmus", models: named, options: common.join (" ") });
}

/* Shows the workbench if the address has its state. */
function followState ()
{
  const there = document.querySelector ("iframe.live"), wanted = live && location.hash.startsWith ("#s=");
  if (there && !wanted)
    there.remove ();
  else if (wanted && !there)
    document.body.append (element ("iframe", { class: "live", title: "Workbench", allow: "clipboard-write", srcdoc: live.page }));
}

function startLive ()
{
  window.addEventListener ("hashchange", followState);
  followState ();
}
