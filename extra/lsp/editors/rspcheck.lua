-- Neovim (0.7 or later): starts `rspcheck -lsp` for tests, models, mappings and kernels. Installed as a plugin; from a
-- checkout: nvim -c 'luafile extra/lsp/editors/rspcheck.lua'. vim.g.rspcheck_command replaces the command, and
-- vim.g.rspcheck_models (a list) the models whose verdicts are shown over tests.
local client

local function attach ()
  local types = { litmus = "litmus", cat = "cat", map = "rspcheck-map", cl = "opencl" }
  vim.bo.filetype = types[vim.fn.expand ("%:e")]
  client = client or vim.lsp.start_client ({
    name = "rspcheck",
    cmd = vim.g.rspcheck_command or { "rspcheck", "-lsp" },
    root_dir = vim.fn.getcwd (),
    init_options = { models = vim.g.rspcheck_models or {} },
    on_exit = function () client = nil end,
  })
  if client then
    vim.lsp.buf_attach_client (0, client)
  end
end

vim.api.nvim_create_autocmd ({ "BufRead", "BufNewFile" }, { pattern = { "*.litmus", "*.cat", "*.map", "*.cl" }, callback = attach })
vim.api.nvim_create_autocmd ({ "BufEnter", "InsertLeave", "BufWritePost" }, {
  pattern = { "*.litmus", "*.cat" },
  callback = function () if client then vim.lsp.codelens.refresh () end end,
})
