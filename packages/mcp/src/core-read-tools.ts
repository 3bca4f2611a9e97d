import { z } from 'zod'
import { id, page, type ReadTool, tool } from './read-tool.ts'

const DECIMALS = 'Amounts are decimal text.'
const moment = z.iso.datetime({ offset: true }).describe('As an ISO 8601 time.')

/** What a service account reads on core and no API key does. */
export const CORE_READ_TOOLS: readonly ReadTool[] = [
  tool(
    'list_breaks',
    {
      title: 'List differences between ledger and chain',
      description: `Open, accepted and closed breaks. ${DECIMALS}`,
    },
    { status: z.enum(['open', 'accepted', 'closed']).optional(), ...page },
    async ({ core }, input) => core.breaks.list(input),
  ),
  tool(
    'list_core_operations',
    {
      title: 'List operations of managed wallets',
      description: `Those that wait, or those that ended. get_core_operation says more about one. ${DECIMALS}`,
    },
    { ended: z.boolean().default(false).describe('Those that ended, newest first.'), limit: page.limit },
    async ({ core }, { ended, limit }) =>
      ended ? core.operations.history({ limit }) : core.operations.queue({ limit }),
  ),
  tool(
    'get_core_operation',
    {
      title: 'Get an operation in detail',
      description: `Steps, reasons, approvals and transactions of an operation. ${DECIMALS}`,
    },
    { operationId: id('Operation id.') },
    async ({ core }, { operationId }) => core.operations.get(operationId),
  ),
  tool(
    'get_approval_policy',
    { title: 'Get the approval policy', description: 'Which operations wait for how many approvals.' },
    {},
    async ({ core }) => core.approvalPolicy.get(),
  ),
  tool(
    'list_change_requests',
    {
      title: 'List changes that need approval',
      description: 'Requests to change members, keys, policies or limits, with their approvals.',
    },
    page,
    async ({ core }, input) => core.changeRequests.list(input),
  ),
  tool(
    'get_limits',
    {
      title: 'Get limits, rules and circuit breakers',
      description:
        'Limits on deposits, caps on strategies, circuit breakers with their states, the allow-list of destinations, and the rules for changes of the configuration.',
    },
    {},
    async ({ core }) => {
      const [depositLimits, strategyCaps, circuitBreakers, destinations, changePolicy] = await Promise.all([
        core.depositLimits.get(),
        core.strategyCaps.list(),
        core.circuitBreakers.get(),
        core.destinations.list(),
        core.changePolicy.get(),
      ])
      return { depositLimits, strategyCaps, circuitBreakers, destinations, changePolicy }
    },
  ),
  tool(
    'get_liquidity',
    {
      title: 'Get when the money could be back',
      description: `What could be withdrawn at once, and what later. ${DECIMALS}`,
    },
    {},
    async ({ core }) => core.liquidity.get(),
  ),
  tool(
    'get_balances_at',
    { title: 'Get the balances as of a moment', description: `By wallet and token, from the ledger. ${DECIMALS}` },
    { at: moment, ...page },
    async ({ core }, input) => core.balances.list(input),
  ),
  tool(
    'get_health',
    { title: 'Get the health', description: 'When agents last polled, how far each chain is followed, gas left.' },
    {},
    async ({ core }) => core.organization.health(),
  ),
]
