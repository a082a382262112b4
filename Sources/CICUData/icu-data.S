// The reduced locale data of ICU. scripts/trim-icu makes it and explains why. Package.swift defines its file name in a release
// build. Without that name this file is empty, and the linker uses the full data of the toolchain.
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
