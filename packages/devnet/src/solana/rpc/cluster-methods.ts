import { BLOCKHASH_LIFE } from '../ledger.ts'
import { SLOTS_PER_EPOCH } from '../vm.ts'
import { METHOD_NOT_FOUND, RpcError } from './json.ts'
import { API_VERSION, inContext, type Methods } from './method.ts'

/** The chain as a whole: its health, height, epoch and newest blockhash. */
export const clusterMethods: Methods = {
  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),
  getHealth: () => 'ok',
  getGenesisHash: (_params, { ledger }) => ledger.genesisHash,
  getSlot: (_params, { ledger }) => ledger.head().slot,
  getBlockHeight: (_params, { ledger }) => ledger.head().height,
  getTransactionCount: (_params, { ledger }) => ledger.store.transactionCount(),
  getEpochInfo(_params, { ledger }) {
    const { slot, height } = ledger.head()
    return {
      absoluteSlot: slot,
      blockHeight: height,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: ledger.store.transactionCount(),
    }
  },
  getLatestBlockhash(_params, { ledger }) {
    const { hash, height } = ledger.head()
    return inContext(ledger, { blockhash: hash, lastValidBlockHeight: height + BLOCKHASH_LIFE })
  },
  isBlockhashValid: (params, { ledger }) => inContext(ledger, ledger.lastValidHeight(params.text(0)) !== null),
  getRecentPrioritizationFees(_params, { ledger }) {
    const { slot } = ledger.head()
    // Blocks here are never full, so no priority fee is needed.
    return ledger.store
      .blocks(slot - BLOCKHASH_LIFE, slot, BLOCKHASH_LIFE)
      .map((block) => ({ prioritizationFee: 0, slot: block.slot }))
  },
  requestAirdrop() {
    throw new RpcError(METHOD_NOT_FOUND, 'requestAirdrop is not offered here: test money comes from the sandbox')
  },
}
