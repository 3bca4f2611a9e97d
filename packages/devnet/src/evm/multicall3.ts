import type { Address } from 'viem'

/** Where Multicall3 stands on every chain, public ones and these. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
