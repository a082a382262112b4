// A small stand-in for the locale data of ICU: scripts/trim-icu makes it and says why, and Package.swift names it for a release
// build. Without, this file is empty, and the linker takes all of the data from the toolchain.
#ifdef EARSHOT_ICU_DATA
	.section .rodata
	.globl EARSHOT_ICU_SYMBOL
	.hidden EARSHOT_ICU_SYMBOL
	.balign 16
	.type EARSHOT_ICU_SYMBOL, @object
EARSHOT_ICU_SYMBOL:
	.incbin EARSHOT_ICU_DATA
	.size EARSHOT_ICU_SYMBOL, . - EARSHOT_ICU_SYMBOL
#endif
#ifdef __linux__
	.section .note.GNU-stack,"",%progbits
#endif
