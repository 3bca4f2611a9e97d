import { get, post } from '../../api/client.ts'
import { MONITORED, SANDBOX_AGENTS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { fund, makeOperational, TREASURY_AMOUNT, until } from './first-loop.ts'

type Agent = Schema<'SandboxAgent'>
type Action = Schema<'CustodyAction'>

const CHAIN = 'polygon'
export const BUFFER = '250.00'
/** Newest first; a wallet that an agent made long ago is in the lists of wallets. */
export const AGENT_WORK = '/api/core/custody/actions?limit=100&offset=0'

/** The wallet says whose treasury it is, so that another tab, or this one later, finds it again. */
const labelOf = ({ id }: Pick<Agent, 'id'>): string => `Treasury of agent ${id}`

/** An agent that the sandbox runs, and what it was asked for: the newest wallet of the newest agent that has one. */
export function treasuryOf(
  agents: readonly Agent[],
  actions: readonly Action[],
): { readonly agent: Agent; readonly action: Action | undefined } | undefined {
  const asked = agents.toReversed().map((agent) => ({
    agent,
    action: actions.find(({ status, payload }) => status !== 'FAILED' && payload.label === labelOf(agent)),
  }))
  return asked.find(({ action }) => action !== undefined) ?? asked.find(({ agent }) => agent.state !== 'stopped')
}

/**
 * Has the sandbox run an agent, the agent make a wallet, and Weir keep its buffer. Each step is left out that was done
 * before, so one that was interrupted continues.
 */
export async function makeTreasury(): Promise<void> {
  const [agents, { actions }] = await Promise.all([
    get<Agent[]>(SANDBOX_AGENTS),
    get<Data<'listCustodyActions'>>(AGENT_WORK),
  ])
  const found = treasuryOf(agents, actions)
  const agent = found?.agent ?? (await startAgent())
  const asked =
    found?.action ??
    (await post<Action>('/api/core/custody/actions/create-wallet', { blockchain: CHAIN, label: labelOf(agent) }))
  const { orgWalletId, result } = await until(async () => {
    const action = await get<Action>(`/api/core/custody/actions/${asked.id}`)
    if (action.status === 'FAILED')
      throw new Error(`The agent created no wallet: ${action.result?.error ?? 'see its log'}.`)
    return action.status === 'SUCCESS' ? action : undefined
  })
  if ((await get<unknown[]>(`${MONITORED}?orgWalletId=${orgWalletId}`)).length > 0) return
  await fund({ address: result!.address! }, TREASURY_AMOUNT)
  await makeOperational(orgWalletId!, BUFFER)
}

async function startAgent(): Promise<Agent> {
  const agent = await post<Agent | Schema<'ChangeRequest'>>(SANDBOX_AGENTS)
  if ('requiredApprovals' in agent) throw new Error(`The agent waits for approval: change request ${agent.id}.`)
  return agent
}
