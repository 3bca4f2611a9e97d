import type { Chain } from '../chains/index.ts'
import { mulDivUp } from '../kernel/index.ts'
import type { Decimal } from './settings.ts'

/** What a deployment and its later withdrawal burn: an approval, a supply, an unwind. */
const NATIVE_DECIMALS = { evm: 18n, svm: 9n } as const
const THERE_AND_BACK: readonly bigint[] = [80_000n, 450_000n, 450_000n]

/**
 * Gas there and back in base units of a dollar token, at the chain's present fees; 0 where the native coin has no price
 * here (decisions 10). One HTTP call, or none.
 */
export async function gasThereAndBack(
  chain: Chain,
  address: string,
  nativeUsd: Decimal | undefined,
  tokenDecimals: number,
): Promise<bigint> {
  if (nativeUsd === undefined) return 0n
  const fee = chain.networkFee(THERE_AND_BACK, await chain.sender(address))
  const oneToken = 10n ** BigInt(tokenDecimals)
  const oneCoin = 10n ** NATIVE_DECIMALS[chain.network.family]
  return mulDivUp(fee * nativeUsd.digits, oneToken, oneCoin * 10n ** BigInt(nativeUsd.scale))
}
