import { assert } from '../../kernel/index.ts'
import type { Network } from '../port/networks.ts'
import type { Dialect } from './rpc.ts'

/** How nodes of a network are asked which chain they serve: by chain id, or by genesis hash. */
export function dialectOf({ blockchain, family, chainId, genesisHash }: Network): Dialect {
  if (family === 'evm') {
    assert(chainId !== undefined, `network ${blockchain} has no chain id`)
    return {
      identify: 'eth_chainId',
      isExpectedChain: (answer) => Number(answer) === chainId,
      send: 'eth_sendRawTransaction',
    }
  }
  assert(genesisHash !== undefined, `network ${blockchain} has no genesis hash`)
  return { identify: 'getGenesisHash', isExpectedChain: (answer) => answer === genesisHash, send: 'sendTransaction' }
}
