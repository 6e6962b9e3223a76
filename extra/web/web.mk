# The workbench: the whole program as WebAssembly, with GLib and MCPP (the preprocessor of kernels) compiled from their source, in one
# HTML file. Needs what `scripts/deps.sh web` installs and, once, the network (for these sources, and Graphviz from the npm registry).
WEB        := $(BUILD)/web
EMCC       ?= emcc
# emcc's own compiler, without what emcc itself takes to start.
WEB_CC     ?= clang
WEB_TARGET  = $(eval WEB_TARGET := $(or $(shell $(EMCC) --cflags),$(error $(EMCC) does not run: `scripts/deps.sh web` installs Emscripten)))$(WEB_TARGET)
WEB_GLIB   := $(WEB)/source/glib
WEB_GLIB_OBJ := $(addprefix $(WEB)/glib/,$(addsuffix .o,garcbox garray gasyncqueue gatomic gbacktrace gbase64 gbitlock gbytes \
                gcharset gchecksum gconvert gdataset gdir genviron gerror gfileutils ghash ghook ghostutils glib-init \
                glib-private glist gmain gmappedfile gmem gmessages gnode gpattern gpoll gprimes gqsort gquark gqueue grand grcbox \
                grefcount grefstring gsequence gshell gslice gslist gstdio gstrfuncs gstring gstringchunk gstrvbuilder gtestutils \
                gthread gthread-posix gthreadpool gtimer gtranslit gtree guniprop gutf8 gunidecomp glib-unix guri gutils gvariant \
                gvariant-core gvariant-parser gvariant-serialiser gvarianttypeinfo gvarianttype gversion gwakeup gprintf \
                libcharset/localcharset))
WEB_MCPP   := $(WEB)/source/mcpp/src
WEB_MCPP_OBJ := $(addprefix $(WEB)/mcpp/,directive.o eval.o expand.o main.o mbchar.o support.o system.o)
# There are no threads, Graphviz and compression; extra/web/ has what stands for them.
WEB_SRC    := extra/serve/absent.c $(filter-out extra/serve/serve.c cli/lazy.c cli/workers.c report/pictures.c, \
                $(LIB_SRC) $(CLI_SRC)) $(wildcard extra/web/*.c) $(GENERATED) $(filter-out $(SERVE_PAGE),$(EXTRA_MADE))
WEB_OBJ    := $(patsubst %.c,$(WEB)/%.o,$(patsubst $(BUILD)/%,%,$(WEB_SRC)))
WEB_INCLUDES := -I$(WEB_GLIB) -I$(WEB)/source
WEB_CFLAGS  = $(WEB_TARGET) -O2 -std=gnu11 -D_GNU_SOURCE -D__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4 $(WEB_INCLUDES)
WEB_LINK   := -O1 -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=8MB -sINITIAL_MEMORY=32MB -sMODULARIZE -sEXPORT_NAME=makeRspcheck \
              -sENVIRONMENT=worker,node -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 -sINVOKE_RUN=0 -sEXIT_RUNTIME=1 -sFORCE_FILESYSTEM -sEXPORTED_RUNTIME_METHODS=callMain,FS

.PHONY: workbench
## make workbench        the page with the checker in it, build/workbench.html (Emscripten, npm)
workbench: $(BUILD)/workbench.html

$(WEB_GLIB)/glibconfig.h:
	extra/web/glib.sh $(WEB)/source

$(WEB)/glib/%.o: $(WEB_GLIB)/glibconfig.h extra/web/glib/config.h
	@mkdir -p $(@D)
	$(call run,WASM,glib/$*.c)$(WEB_CC) $(WEB_CFLAGS) -w -Iextra/web/glib -DGLIB_COMPILATION -DG_LOG_DOMAIN='"GLib"' -c -o $@ $(WEB_GLIB)/$*.c

$(WEB)/libglib.a: $(WEB_GLIB_OBJ)
	$(call run,EMAR,$@)emar rcs $@ $^

$(WEB_MCPP)/mcpp_lib.h:
	extra/web/mcpp.sh $(WEB)/source

$(WEB)/mcpp/%.o: $(WEB_MCPP)/mcpp_lib.h
	@mkdir -p $(@D)
	$(call run,WASM,mcpp/$*.c)$(WEB_CC) $(WEB_CFLAGS) -w -DMCPP_LIB -I$(WEB_MCPP) -c -o $@ $(WEB_MCPP)/$*.c

WEB_OWN    = $(WEB_CFLAGS) -DRSP_VERSION='"$(VERSION)"' -DRSP_CAT_DIR='"/cat"' -I. -Iapi -Ipublic -I$(BUILD) -I$(BUILD)/generated \
             -I/usr/include/glib-2.0 $(shell pkg-config --cflags-only-I libgvc libcgraph) -MMD -MP -c -o $@ $<
$(WEB)/generated/%.o: $(BUILD)/generated/%.c $(WEB_GLIB)/glibconfig.h | $(GENERATED)
	@mkdir -p $(@D)
	$(call run,WASM,$<)$(WEB_CC) -w $(WEB_OWN)
$(WEB)/%.o: %.c $(WEB_GLIB)/glibconfig.h $(WEB_MCPP)/mcpp_lib.h | $(GENERATED) $(EXTRA_DEF) $(NEWS) $(SONAMES)
	@mkdir -p $(@D)
	$(call run,WASM,$<)$(WEB_CC) $(WARNINGS) $(WEB_OWN)

$(WEB)/extra/web/preprocess.o: WEB_INCLUDES += -I$(WEB_MCPP)

$(WEB)/rspcheck.js $(WEB)/rspcheck.wasm &: $(WEB_OBJ) $(WEB_MCPP_OBJ) $(WEB)/libglib.a extra/web/web.mk
	$(call run,LINK,$@)$(EMCC) $(WEB_LINK) -o $(WEB)/rspcheck.js $(WEB_OBJ) $(WEB_MCPP_OBJ) $(WEB)/libglib.a

# Graphviz, as an npm package brings it.
$(WEB)/node_modules/.package-lock.json: extra/web/package.json extra/web/package-lock.json
	@mkdir -p $(@D)
	@cp $^ $(WEB)
	$(call run,NPM,$(WEB)/node_modules)npm ci --prefix $(WEB) --silent --ignore-scripts --no-audit --no-fund
	@touch $@

WEB_SCRIPTS := $(patsubst %,report/page/%.js,data dom) $(PAGE_PANELS) $(patsubst %,report/page/%.js,source picture explain panel) extra/web/checker.js $(patsubst %,extra/serve/%.js,editor menus kernel workbench)
$(BUILD)/workbench.html: $(WEB)/rspcheck.js $(WEB)/node_modules/.package-lock.json $(WEB_SCRIPTS) $(addprefix extra/web/,build.py engine.js worker.js) \
                         extra/serve/workbench.html extra/serve/workbench.css report/page/page.css $(wildcard cat/*.cat)
	$(call run,HTML,$@)extra/web/build.py $(WEB) $@ $(WEB_SCRIPTS)

.PHONY: check-workbench
## make check-workbench  the same, and its tests in node and Chromium; skipped without Emscripten
check-workbench:
	@if command -v $(EMCC) > /dev/null; then $(MAKE) --no-print-directory all workbench && tests/workbench.py $(PROGRAM) $(BUILD); \
	 else echo 'workbench: skipped: no Emscripten (scripts/deps.sh web installs it)'; fi
