import type { Chain } from '../../chains/index.ts'
import type { OperationalWalletContext } from './find-operational-wallet.ts'

/**
 * The latest balance of an operational wallet, in base units. If it is less than `need`, it is read again from a node
 * that has the newest block that Weir has seen: plans count on deposits that are not final, and a node that lags behind
 * them proves nothing (rule 12). Error: CHAIN_UNAVAILABLE.
 */
export async function readBalanceFor(
  chain: Chain,
  { wallet, opWallet, settledBlock, headBlock }: OperationalWalletContext,
  need: bigint,
): Promise<bigint> {
  const asked = [{ owner: wallet.address, token: opWallet.tokenAddress }]
  const [balance = 0n] = await chain.balances(asked, undefined, settledBlock)
  if (balance >= need || headBlock === undefined) return balance
  const [current = 0n] = await chain.balances(asked, undefined, headBlock)
  return current
}
