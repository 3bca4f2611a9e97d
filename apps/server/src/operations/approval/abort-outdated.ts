import { inTransaction, unbatched } from '../../database/index.ts'
import { stopReason } from '../lifecycle/conflicts/stop-reason.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { abortUnissued, isRestUnissued, isUnissued } from '../lifecycle/transitions/abort-unissued.ts'

interface BufferedWallet {
  readonly organizationId: number
  readonly opWalletId: number
  /** Base units. */
  readonly buffer: bigint
  readonly updatedAt: Date
  /** Base units in the latest block; absent: it was not read. */
  readonly onChain?: bigint | undefined
}

/**
 * Aborts a rebalancer's operation that was planned before the buffer or the switch of its operational wallet changed, if
 * none of its bytes were issued (contract 10). Also one that deploys into a strategy whose circuit breaker opened or that
 * limits rule out by now, or that would use the buffer: of its bytes, those of the approval before the deposit may be
 * final, and no others can land. And a refill of a buffer that is full again. Returns why it was aborted; `undefined`: it
 * was not.
 */
export async function abortOutdatedOperation(
  parts: Pick<Parts, 'db' | 'clock' | 'limitReason'>,
  wallet: BufferedWallet,
  { operationId }: { readonly operationId: number },
): Promise<string | undefined> {
  return inTransaction(parts.db, async (tx) => {
    const scope = { organizationId: wallet.organizationId, walletProfileId: null }
    const operation = await lockOperation(tx, scope, operationId)
    const isOurs = operation.origin === 'rebalancer' && operation.opWalletId === wallet.opWalletId
    if (!isOurs || !isRestUnissued(operation)) return undefined
    const explanation =
      operation.createdAt <= wallet.updatedAt && isUnissued(operation)
        ? 'The buffer or the yield setting of the wallet was changed.'
        : (bufferReason(operation, wallet) ?? (await stopReason(parts, tx, operation)))
    if (explanation === undefined) return undefined
    await abortUnissued(unbatched(tx), [operation], explanation, parts.clock.now())
    return explanation
  })
}

/**
 * It may wait for approval for days, in which no other operation could fill the buffer, or deploy what is above it.
 * Before bytes are issued, `check-move.ts` asks the same.
 */
function bufferReason({ type, amount, part }: Operation, { onChain, buffer }: BufferedWallet): string | undefined {
  if (onChain === undefined) return undefined
  if (type === 'UNWIND' && part?.purpose === 'refill' && onChain >= buffer) return 'The buffer is already full.'
  if (type !== 'SUPPLY' || amount === null) return undefined
  return onChain - amount < buffer ? 'The wallet no longer holds that amount above its buffer.' : undefined
}
