import { type Chain, NATIVE_DECIMALS } from '../chains/index.ts'
import { mulDivUp } from '../kernel/index.ts'
import type { Decimal } from './settings.ts'

/** What a deployment and its later withdrawal burn: a supply and an unwind, on EVM chains after an approval. */
const THERE_AND_BACK = { evm: [80_000n, 450_000n, 450_000n], svm: [450_000n, 450_000n] } as const
/** What a token account on Solana keeps for ever of whoever opens it: two years of rent for its 165 bytes, in lamports. */
const TOKEN_ACCOUNT_RENT = (128n + 165n) * 3_480n * 2n

/** What moving costs, in base units of a dollar token; 0 where the native coin has no price here (decisions 10). */
export interface Gas {
  /** A deployment and its later withdrawal, at the chain's present fees. */
  readonly thereAndBack: bigint
  /** Besides, a wallet's first deployment into a strategy: on Solana the account for its shares has to be opened. */
  readonly opening: bigint
}

/** One HTTP call, or none. */
export async function readGas(
  chain: Chain,
  address: string,
  nativeUsd: Decimal | undefined,
  tokenDecimals: number,
): Promise<Gas> {
  if (nativeUsd === undefined) return { thereAndBack: 0n, opening: 0n }
  const { family } = chain.network
  const fee = chain.networkFee(THERE_AND_BACK[family], await chain.sender(address))
  const oneToken = 10n ** BigInt(tokenDecimals)
  const oneCoin = 10n ** BigInt(NATIVE_DECIMALS[family])
  const worth = (native: bigint) =>
    mulDivUp(native * nativeUsd.digits, oneToken, oneCoin * 10n ** BigInt(nativeUsd.scale))
  return { thereAndBack: worth(fee), opening: family === 'svm' ? worth(TOKEN_ACCOUNT_RENT) : 0n }
}
