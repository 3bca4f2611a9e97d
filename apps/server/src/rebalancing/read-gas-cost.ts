import { type Chain, NATIVE_DECIMALS } from '../chains/index.ts'
import { mulDivUp } from '../kernel/index.ts'
import type { Decimal } from './settings.ts'

/** What a deployment and its later withdrawal burn: a supply and an unwind, on EVM chains after an approval. */
const ROUND_TRIP_GAS = { evm: [80_000n, 450_000n, 450_000n], svm: [450_000n, 450_000n] } as const
/** What a token account on Solana keeps for ever of whoever opens it: two years of rent for its 165 bytes, in lamports. */
const TOKEN_ACCOUNT_RENT = (128n + 165n) * 3_480n * 2n

/** What moving costs, in base units of a dollar token; 0 where the native coin has no price here (contract 10). */
export interface GasCost {
  /** A deployment and its later withdrawal, at the chain's present fees. */
  readonly roundTrip: bigint
  /** Besides, a wallet's first deployment into a strategy: on Solana the account for its shares has to be opened. */
  readonly accountOpening: bigint
}

/** One HTTP call, or none. */
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
