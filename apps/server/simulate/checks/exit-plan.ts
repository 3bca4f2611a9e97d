import { decodeFunctionData, type Hex } from 'viem'
import { evmCall } from '../../src/chains/index.ts'
import { isIssued, type Operation } from '../../src/operations/index.ts'
import type { WalletClient } from '../clients/wallet-client.ts'
import { Violation } from '../violation.ts'
import { abi } from '../world/contracts.ts'
import type { Market } from '../world/market.ts'
import { fromUnsigned } from '../world/raw.ts'

/** One transaction to a market whose withdrawals take time. */
interface ExitCall {
  readonly kind: string
  readonly owner: string
  /** Undefined: the whole position, or all that is claimable. */
  readonly amount: bigint | undefined
  readonly data: string
}

/** Why a request or a claim does something else than what was requested; `undefined`: it does that. */
export function wrongExitCall(market: Market, { kind, owner, amount, data }: ExitCall): string | undefined {
  const { functionName, args } = decodeFunctionData({ abi, data: data as Hex })
  const values = args as readonly unknown[]
  const isOwn = (...positions: readonly number[]) => positions.every((position) => values[position] === owner)
  const isQueue = market.protocol === 'erc7540'
  const isAsked =
    kind === 'exit_request'
      ? isQueue
        ? functionName === 'requestRedeem' && isOwn(1, 2)
        : amount === undefined
          ? functionName === 'cooldownShares'
          : functionName === 'cooldownAssets' && values[0] === amount
      : isQueue
        ? functionName === 'withdraw' && isOwn(1, 2) && (amount === undefined || values[0] === amount)
        : functionName === 'unstake' && isOwn(0)
  return isAsked ? undefined : `does ${functionName} ${String(values)} where ${amount ?? 'everything'} was requested`
}

/** A claim is one transaction that pays its owner. */
export function expectHonestClaim(holder: WalletClient, market: Market, operation: Operation): void {
  const wrong = (what: string) => {
    throw new Violation(`the claim of operation ${operation.operationId} ${what}`)
  }
  const issued = operation.transactions.filter(isIssued)
  if (issued.length !== 1) wrong(`has ${issued.length} transactions`)
  const transaction = issued[0]!
  const { to, data } = fromUnsigned(transaction.unsignedBytes)
  const planned = evmCall(transaction.call)
  if (to !== planned.to || data !== planned.data) wrong('is stored differently from what was issued')
  if (to !== market.contract) wrong(`goes to ${to}`)
  const call = { kind: transaction.kind, owner: holder.address, amount: operation.amount ?? undefined, data }
  const reason = transaction.kind === 'exit_claim' ? wrongExitCall(market, call) : `is a ${transaction.kind}`
  if (reason !== undefined) wrong(reason)
}
