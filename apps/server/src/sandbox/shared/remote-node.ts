import { type DevChain, NODE_UNAVAILABLE, type RpcProxy, sendersOf } from '../../chains/index.ts'
import type { ControlledNode, Deployment } from '../control-node.ts'
import { PATHS, REGISTERED_HEADER } from './chains-control.ts'
import type { ChainsLink } from './chains-link.ts'

interface RemoteParts {
  readonly link: ChainsLink
  readonly deployment: Deployment
  readonly isRegistered: (blockchain: string, address: string) => Promise<boolean>
}

/** A chain that another process serves, with the same controls as one of this process. */
export function remoteNode({ link, deployment, isRegistered }: RemoteParts): ControlledNode {
  const { blockchain } = deployment
  const { control, send } = link

  /** Names the registered senders: the process of the chains does not know the wallets. */
  async function headersFor(body: string): Promise<Record<string, string>> {
    const senders = await sendersOf(body)
    const known = await Promise.all(senders.map((sender) => isRegistered(blockchain, sender)))
    const registered = senders.filter((_, index) => known[index])
    return registered.length === 0 ? {} : { [REGISTERED_HEADER]: registered.join(',') }
  }

  const proxy: RpcProxy = {
    async handle(body) {
      const text = JSON.stringify(body)
      const headers = { 'content-type': 'application/json', ...(await headersFor(text)) }
      try {
        const response = await send(`${PATHS.rpc}${blockchain}`, { method: 'POST', body: text }, headers)
        return response.status === 204 ? undefined : await response.json()
      } catch {
        return NODE_UNAVAILABLE
      }
    },
  }

  const dev: DevChain = {
    fault: {
      fetch: async (_url, init) => send(`${PATHS.faulty}${blockchain}`, init, await headersFor(String(init.body))),
    },
    withoutFaults: { fetch: (_url, init) => send(`${PATHS.faultFree}${blockchain}`, init) },
    setFault: (fault, count) => control.setFault(blockchain, fault, count),
    remainingFaults: (fault) => control.remainingFaults(blockchain, fault),
    // The process of the chains runs the work that needs it exclusively.
    exclusive: (work) => work(),
    proxy,
    head: () => control.head(blockchain),
    mine: (blocks) => control.mine(blockchain, blocks),
    increaseTime: (seconds) => control.increaseTime(blockchain, seconds),
    mineAt: (time) => control.mineAt(blockchain, time),
    close: async () => {},
  }

  return {
    deployment,
    rpcUrl: deployment.url,
    dev,
    // The release of the exclusive lock resumes, even when the holder dies.
    heartbeat: { pause: () => control.pauseHeartbeat(blockchain), resume: () => {} },
    venueStates: {
      strategyState: (key) => control.strategyState(blockchain, key),
      setStrategyState: (key, change) => control.setStrategyState(blockchain, key, change),
    },
  }
}
