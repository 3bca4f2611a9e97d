import { assert } from '../../kernel/index.ts'
import type { Network } from '../port/networks.ts'
import type { Dialect } from './guarded-endpoint.ts'
import { timeFrom } from './integer-from.ts'
import { isStateMissing, readsPastState } from './past-state.ts'

const EVM_HEAD: Dialect['head'] = {
  request: { method: 'eth_getBlockByNumber', params: ['latest', false] },
  timeOf: (block) => timeFrom('timestamp', (block as { timestamp?: unknown } | null)?.timestamp),
}

/** The clock that every block sets: one request, where a slot and its block's time take two. */
const SOLANA_HEAD: Dialect['head'] = {
  request: {
    method: 'getAccountInfo',
    params: [
      'SysvarC1ock11111111111111111111111111111111',
      { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 32, length: 8 } },
    ],
  },
  timeOf(result) {
    const data = (result as { value?: { data?: unknown } | null } | null)?.value?.data
    const text = Array.isArray(data) && typeof data[0] === 'string' ? data[0] : ''
    const bytes = Buffer.from(text.slice(0, 16), 'base64')
    return timeFrom('unix_timestamp', bytes.length === 8 ? Number(bytes.readBigInt64LE()) : undefined)
  },
}

/** How a node of this network proves which chain it serves: by chain id, or by genesis hash. */
export function dialectOf({ blockchain, family, chainId, genesisHash }: Network): Dialect {
  if (family === 'evm') {
    assert(chainId !== undefined, `network ${blockchain} has no chain id`)
    return {
      identify: 'eth_chainId',
      isExpectedChain: (result) => typeof result === 'string' && Number(result) === chainId,
      send: 'eth_sendRawTransaction',
      pastState: { isReadBy: readsPastState, isMissing: isStateMissing },
      head: EVM_HEAD,
    }
  }
  assert(genesisHash !== undefined, `network ${blockchain} has no genesis hash`)
  return {
    identify: 'getGenesisHash',
    isExpectedChain: (result) => result === genesisHash,
    send: 'sendTransaction',
    head: SOLANA_HEAD,
  }
}
