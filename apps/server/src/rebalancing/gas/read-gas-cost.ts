import type { Chain } from '../../chains/index.ts'
import { mulDivUp } from '../../kernel/index.ts'
import type { Decimal } from '../settings.ts'

const APPROVAL_GAS = 80_000n
/** Of a supply, and of an unwind. */
export const MOVE_GAS = 450_000n

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
  const roundTrip = [...(chain.needsApprovals ? [APPROVAL_GAS] : []), MOVE_GAS, MOVE_GAS]
  const fee = chain.networkFee(roundTrip, await chain.senderState(address))
  const oneToken = 10n ** BigInt(tokenDecimals)
  const oneCoin = 10n ** BigInt(chain.nativeDecimals)
  const worth = (native: bigint) =>
    mulDivUp(native * nativeUsd.digits, oneToken, oneCoin * 10n ** BigInt(nativeUsd.scale))
  return { roundTrip: worth(fee), accountOpening: worth(chain.tokenAccountRent) }
}
