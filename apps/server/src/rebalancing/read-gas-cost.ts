import { type Chain, NATIVE_DECIMALS } from '../chains/index.ts'
import { mulDivUp } from '../kernel/index.ts'
import type { Decimal } from './settings.ts'

/** Gas of a deployment and its later withdrawal: a supply and an unwind, on EVM chains after an approval. */
const ROUND_TRIP_GAS = { evm: [80_000n, 450_000n, 450_000n], svm: [450_000n, 450_000n] } as const
/** Rent that a Solana token account locks when it is opened: two years for 165 bytes, in lamports. */
const TOKEN_ACCOUNT_RENT = (128n + 165n) * 3_480n * 2n

/**
 * The cost of moving, in base units of a dollar token; 0 where no price is configured for the native coin (contract
 * 10).
 */
export interface GasCost {
  /** A deployment and its later withdrawal at the chain's current fees. */
  readonly roundTrip: bigint
  /** Extra cost of a wallet's first deployment into a strategy: on Solana it opens the account for the shares. */
  readonly accountOpening: bigint
}

/** Makes one HTTP call, or none. */
export async function readGasCost(
  chain: Chain,
  address: string,
  nativeUsd: Decimal | undefined,
  tokenDecimals: number,
): Promise<GasCost> {
  if (nativeUsd === undefined) return { roundTrip: 0n, accountOpening: 0n }
  const { family } = chain.network
  const fee = chain.networkFee(ROUND_TRIP_GAS[family], await chain.senderState(address))
  const oneToken = 10n ** BigInt(tokenDecimals)
  const oneCoin = 10n ** BigInt(NATIVE_DECIMALS[family])
  const worth = (native: bigint) =>
    mulDivUp(native * nativeUsd.digits, oneToken, oneCoin * 10n ** BigInt(nativeUsd.scale))
  return { roundTrip: worth(fee), accountOpening: family === 'svm' ? worth(TOKEN_ACCOUNT_RENT) : 0n }
}
