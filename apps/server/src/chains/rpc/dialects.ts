import { assert } from '../../kernel/index.ts'
import type { Network } from '../port/networks.ts'
import type { Dialect } from './guarded-endpoint.ts'
import { isStateMissing, readsPastState } from './past-state.ts'

/** How a node of this network proves which chain it serves: by chain id, or by genesis hash. */
export function dialectOf({ blockchain, family, chainId, genesisHash }: Network): Dialect {
  if (family === 'evm') {
    assert(chainId !== undefined, `network ${blockchain} has no chain id`)
    return {
      identify: 'eth_chainId',
      isExpectedChain: (result) => typeof result === 'string' && Number(result) === chainId,
      send: 'eth_sendRawTransaction',
      pastState: { isReadBy: readsPastState, isMissing: isStateMissing },
    }
  }
  assert(genesisHash !== undefined, `network ${blockchain} has no genesis hash`)
  return { identify: 'getGenesisHash', isExpectedChain: (result) => result === genesisHash, send: 'sendTransaction' }
}
