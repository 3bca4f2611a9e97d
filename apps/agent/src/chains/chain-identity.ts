import type { EvmRules, SolanaRules } from '@weir/verify'
import { type Identity, OtherChain } from './endpoint.ts'
import { type IdentityProblem, NodeUnavailable } from './port.ts'
import type { Rpc } from './rpc.ts'

export function evmIdentity({ chainId }: EvmRules): Identity {
  return {
    method: 'eth_chainId',
    judge(result) {
      if (typeof result !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(result)) return undefined
      const found = BigInt(result)
      return { isRight: found === BigInt(chainId), serves: `chain ${found}, but the list says ${chainId}` }
    },
  }
}

/** Undefined where the list names no cluster, as for embedded chains. */
export function solanaIdentity({ genesisHash }: SolanaRules): Identity | undefined {
  if (genesisHash === null) return undefined
  return {
    method: 'getGenesisHash',
    judge(result) {
      if (typeof result !== 'string') return undefined
      const serves = `the cluster ${result.slice(0, 100)}, but the list says a different one`
      return { isRight: result === genesisHash, serves }
    },
  }
}

/** What each endpoint says of its chain, if not that it is the right one. */
export async function identityProblems({ endpoints }: Rpc): Promise<readonly IdentityProblem[]> {
  const found = await Promise.all(endpoints.map(async ({ name, identify }) => ({ name, error: await identify() })))
  return found.flatMap(({ name, error }) => {
    if (error === undefined) return []
    const isOther = error instanceof OtherChain
    return [{ isOther, reason: isOther ? error.message : `RPC ${name} does not respond: ${error.message}` }]
  })
}

/**
 * Whether the endpoints serve the chain that begins with this hash. One of them is enough for yes; for no, all must
 * respond and name the same other one. Throws {@link NodeUnavailable} in between.
 */
export function servesGenesis(found: readonly (string | Error)[], genesis: string): boolean {
  if (found.includes(genesis)) return true
  const [first] = found
  if (typeof first === 'string' && found.every((one) => one === first)) return false
  const said = found.map((one) => (one instanceof Error ? one.message : `it begins with ${one}`))
  throw new NodeUnavailable(`the endpoints do not agree which chain they serve: ${said.join('; ')}`)
}
