import type { Address } from 'viem'

/** The address of Multicall3 on every chain, public or embedded. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
