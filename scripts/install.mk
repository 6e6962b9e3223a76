# make install, uninstall, dist and deb; part of the Makefile.
#
# The program and the libraries are linked again, into $(BUILD)/install, with the folders of this PREFIX
# (or of DATADIR, LIBDIR, …) in them: what was built in the checkout stays as it is.

INSTALLED   := $(BUILD)/install
INSTALL_OBJ := $(INSTALLED)/directories.o
INSTALL_LIB := $(filter-out $(BUILD)/api/directories.o,$(LIB_OBJ)) $(INSTALL_OBJ)
REAL_SO     := librspcheck.so.$(VERSION)

# What is made for shells and editors, from the option table and the languages' word lists.
PYTHON     ?= $(shell command -v python3)
COMPLETION := $(addprefix $(BUILD)/completion/,bash zsh fish)
SYNTAX     := $(BUILD)/syntax/vscode/rspcheck-$(VERSION).vsix
WORD_LISTS := $(wildcard lexer/*_words.def) public/axiom_kinds.def parser/litmus/words.def parser/scopes.def model/base_names.def \
              parser/languages.def parser/columns/instruction.c parser/columns/columns.h parser/columns/ptx.c parser/columns/vulkan.c

NVIM_FILE  := nvim/site/plugin/rspcheck.lua
EMACS_FILE := emacs/site-lisp/rspcheck.el
VIM_FILES  := syntax/litmus.vim syntax/cat.vim ftdetect/rspcheck.vim

.PHONY: editors
editors: $(COMPLETION) $(if $(PYTHON),$(SYNTAX))

$(COMPLETION): $(BUILD)/completion/%: $(PROGRAM)
	@mkdir -p $(@D)
	$(call run,GEN,$@)$(abspath $(PROGRAM)) -completion $* > $@

$(SYNTAX): scripts/syntax.py $(wildcard extra/lsp/editors/extension.js) $(WORD_LISTS) LICENSE
	$(call run,GEN,$@)$(PYTHON) scripts/syntax.py $(BUILD)/syntax $(VERSION)

# The guides as HTML, and the schemas of the records, where lowdown is there to make them.
DOCDIR      = $(DATADIR)/doc/rspcheck
LOWDOWN    := $(shell command -v lowdown)
HTML       := $(BUILD)/html/index.html
SUITES      = $(shell find litmus -type d)
MAN5       := docs/rspcheck-litmus.5 docs/rspcheck-cat.5

.PHONY: html
html: $(HTML)
$(HTML): scripts/manual.sh README.md $(wildcard docs/*.md docs/*.png docs/*.svg docs/schema*.json)
	$(call run,HTML,$(@D))scripts/manual.sh html $(@D)

# PyGObject looks here in the system's own prefix; with another one, PYTHONPATH has to name dist-packages.
OVERRIDES  ?= $(PREFIX)/lib/python3/dist-packages/gi/overrides

# Every file that is installed, below DESTDIR; `make uninstall` removes them.
INSTALLS = $(BINDIR)/rspcheck \
           $(addprefix $(LIBDIR)/,librspcheck.a $(REAL_SO) librspcheck.so.$(SOVERSION) librspcheck.so pkgconfig/rspcheck.pc \
             girepository-1.0/$(notdir $(TYPELIB))) $(OVERRIDES)/Rspcheck.py \
           $(addprefix $(INCLUDEDIR)/,$(notdir $(API_HEADERS))) \
           $(addprefix $(DATADIR)/,bash-completion/completions/rspcheck zsh/site-functions/_rspcheck \
             fish/vendor_completions.d/rspcheck.fish $(NVIM_FILE) $(EMACS_FILE) $(addprefix vim/vimfiles/,$(VIM_FILES))) \
           $(DATADIR)/rspcheck $(DATADIR)/gir-1.0/$(notdir $(GIR)) $(DATADIR)/man/man1/rspcheck.1 \
           $(addprefix $(DATADIR)/man/man5/,$(notdir $(MAN5))) $(DOCDIR)

.PHONY: install-objects install uninstall

$(INSTALL_OBJ): install-objects
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) -fPIC -DRSP_CAT_DIR='"$(DATADIR)/rspcheck/cat"' -c -o $@ api/directories.c

install-objects:

$(INSTALLED)/rspcheck: $(CLI_OBJ) $(INSTALL_LIB)
	$(call run,LINK,$@)$(CC) $(ALL_CFLAGS) $(PIE) $(HARDEN_LD) $(LDFLAGS) -o $@ $^ $(PROGRAM_LIBS)

$(INSTALLED)/librspcheck.a: $(INSTALL_LIB)
	$(call run,LD,$@)$(call link_static,$@,$^,$(INSTALLED)/librspcheck.o)

$(INSTALLED)/$(REAL_SO): $(INSTALL_LIB) api/rspcheck.map
	$(call run,LINK,$@)$(call link_shared,$@,$(INSTALL_LIB))

$(INSTALLED)/rspcheck.pc: scripts/rspcheck.pc.in install-objects
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@DATADIR@|$(DATADIR)|' \
	  -e 's|@VERSION@|$(VERSION)|' -e 's|=$(PREFIX)/|=$${prefix}/|' $< > $@

install: all editors $(if $(LOWDOWN),html) $(addprefix $(INSTALLED)/,rspcheck librspcheck.a $(REAL_SO) rspcheck.pc)
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(LIBDIR)/pkgconfig $(INCLUDEDIR) $(DATADIR)/rspcheck/cat $(DATADIR)/rspcheck/machine \
	  $(DATADIR)/man/man1)
	install -m 755 $(INSTALLED)/rspcheck $(DESTDIR)$(BINDIR)/rspcheck
	install -m 644 $(INSTALLED)/librspcheck.a $(INSTALLED)/$(REAL_SO) $(DESTDIR)$(LIBDIR)/
	ln -sf $(REAL_SO) $(DESTDIR)$(LIBDIR)/librspcheck.so.$(SOVERSION)
	ln -sf librspcheck.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/librspcheck.so
	install -m 644 $(INSTALLED)/rspcheck.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	install -m 644 $(API_HEADERS) $(DESTDIR)$(INCLUDEDIR)/
	install -m 644 cat/*.cat $(DESTDIR)$(DATADIR)/rspcheck/cat/
	install -m 644 machine/*.map machine/*.machine machine/*.latency $(DESTDIR)$(DATADIR)/rspcheck/machine/
	install -m 644 docs/rspcheck.1 $(DESTDIR)$(DATADIR)/man/man1/
	$(if $(wildcard $(BUILD)/workbench.html),install -m 644 $(BUILD)/workbench.html $(DESTDIR)$(DATADIR)/rspcheck/)
	install -d $(addprefix $(DESTDIR),$(DATADIR)/man/man5 $(DOCDIR) $(addprefix $(DOCDIR)/examples/,$(SUITES)))
	install -m 644 $(MAN5) $(DESTDIR)$(DATADIR)/man/man5/
	install -m 644 SECURITY.md docs/schema*.json $(if $(LOWDOWN),docs/*.png docs/*.svg $(BUILD)/html/*.html) $(DESTDIR)$(DOCDIR)/
	set -e; for d in $(SUITES); do find $$d -maxdepth 1 -type f -exec install -m 644 -t $(DESTDIR)$(DOCDIR)/examples/$$d {} +; done
	install -d $(addprefix $(DESTDIR)$(DATADIR)/,bash-completion/completions zsh/site-functions fish/vendor_completions.d)
	install -m 644 $(BUILD)/completion/bash $(DESTDIR)$(DATADIR)/bash-completion/completions/rspcheck
	install -m 644 $(BUILD)/completion/zsh $(DESTDIR)$(DATADIR)/zsh/site-functions/_rspcheck
	install -m 644 $(BUILD)/completion/fish $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/rspcheck.fish
	install -d $(addprefix $(DESTDIR)$(DATADIR)/,$(dir $(NVIM_FILE)) $(dir $(EMACS_FILE)))
	install -m 644 extra/lsp/editors/rspcheck.lua $(DESTDIR)$(DATADIR)/$(NVIM_FILE)
	install -m 644 extra/lsp/editors/rspcheck.el $(DESTDIR)$(DATADIR)/$(EMACS_FILE)
ifneq ($(PYTHON),)
	install -d $(addprefix $(DESTDIR)$(DATADIR)/,vim/vimfiles/syntax vim/vimfiles/ftdetect rspcheck/editors)
	$(foreach f,$(VIM_FILES),install -m 644 $(BUILD)/syntax/vim/$(f) $(DESTDIR)$(DATADIR)/vim/vimfiles/$(f) &&) true
	install -m 644 $(SYNTAX) $(DESTDIR)$(DATADIR)/rspcheck/editors/
endif
ifneq ($(GI),)
	install -d $(DESTDIR)$(LIBDIR)/girepository-1.0 $(DESTDIR)$(DATADIR)/gir-1.0 $(DESTDIR)$(OVERRIDES)
	install -m 644 $(TYPELIB) $(DESTDIR)$(LIBDIR)/girepository-1.0/
	install -m 644 $(GIR) $(DESTDIR)$(DATADIR)/gir-1.0/
	install -m 644 api/Rspcheck.py $(DESTDIR)$(OVERRIDES)/
endif

uninstall:
	rm -rf $(addprefix $(DESTDIR),$(INSTALLS))

# ---- Archives and packages ----

.PHONY: dist deb check-packages

# What is committed, with its commit: $(BUILD)/rspcheck-VERSION.tar.xz, the same bytes for the same commit.
dist:
	@mkdir -p $(BUILD)
	@git describe --always --exclude='*' > $(BUILD)/.commit
	git archive --prefix=rspcheck-$(VERSION)/ --add-file=$(BUILD)/.commit -o $(BUILD)/rspcheck-$(VERSION).tar HEAD
	xz -9 -f $(BUILD)/rspcheck-$(VERSION).tar

# Debian packages from that archive, in $(BUILD)/deb.
deb: dist
	scripts/deb.sh $(BUILD)/rspcheck-$(VERSION).tar.xz $(BUILD)/deb

check-packages: deb
	tests/packages.sh $(BUILD)/deb
