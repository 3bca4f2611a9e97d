import { z } from 'zod'
import { DECIMALS, id, moment, page, type ReadTool, tool } from './read-tool.ts'
import { RULE_READ_TOOLS } from './rule-read-tools.ts'
import { WEBHOOK_READ_TOOLS } from './webhook-read-tools.ts'

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
    'get_break',
    {
      title: 'Get a difference between ledger and chain',
      description: `A break with its wallet, amount and block, and who accepted it. ${DECIMALS}`,
    },
    { breakId: id('Break id.') },
    async ({ core }, { breakId }) => core.breaks.get(breakId),
  ),
  tool(
    'list_core_allocations',
    {
      title: 'List positions of operational wallets',
      description: `With value, principal, yield and status. ${DECIMALS}`,
    },
    {
      status: z.enum(['ACTIVE', 'UNWINDING', 'CLOSED']).optional(),
      opWalletId: id('Only positions of this operational wallet.').optional(),
      ...page,
    },
    async ({ core }, input) => core.allocations.list(input),
  ),
  tool(
    'get_core_allocation',
    {
      title: 'Get a position of an operational wallet',
      description: `With its yield by day, week and month, its latest operations, and what is awaited from it. ${DECIMALS}`,
    },
    { allocationId: id('Allocation id.') },
    async ({ core }, { allocationId }) => core.allocations.get(allocationId),
  ),
  tool(
    'preview_rebalance',
    {
      title: 'Preview a rebalance',
      description: `What the rebalancer would move now in an operational wallet and why, or why it pauses or waits. Changes nothing. ${DECIMALS}`,
    },
    { opWalletId: id('Operational wallet id.') },
    async ({ core }, { opWalletId }) => core.wallets.previewRebalance(opWalletId),
  ),
  tool(
    'list_core_events',
    {
      title: 'Search events',
      description:
        'Events, newest first, apart from those of payments. Pass the cursor of a result as `before` to read on.',
    },
    {
      before: z.number().int().min(0).default(0).describe('Events before this one; 0 begins with the newest.'),
      operationId: id('Only events about this operation.').optional(),
      walletId: id('Only events about this wallet.').optional(),
      from: moment.optional(),
      until: moment.optional(),
      limit: page.limit,
    },
    async ({ core }, input) => core.events.list(input),
  ),
  tool(
    'get_core_event',
    { title: 'Get an event', description: 'An event as webhooks received it.' },
    { eventId: id('Event id.') },
    async ({ core }, { eventId }) => core.events.get(eventId),
  ),
  ...RULE_READ_TOOLS,
  ...WEBHOOK_READ_TOOLS,
  tool(
    'list_profiles',
    { title: 'List profiles', description: 'Wallet profiles with their chains and the time that operations get.' },
    page,
    async ({ core }, input) => core.walletProfiles.list(input),
  ),
  tool(
    'get_profile',
    { title: 'Get a profile', description: 'A wallet profile with its chains and the time that operations get.' },
    { profileId: id('Wallet profile id.') },
    async ({ core }, { profileId }) => core.walletProfiles.get(profileId),
  ),
  tool(
    'list_custody_actions',
    {
      title: 'List what the custody agent was asked for',
      description: 'Requests for new wallets, and what the agent reported.',
    },
    page,
    async ({ core }, input) => core.custody.listActions(input),
  ),
  tool(
    'get_custody_action',
    {
      title: 'Get what the custody agent was asked for',
      description: 'A request for a new wallet, and what the agent reported.',
    },
    { actionId: id('Action id.') },
    async ({ core }, { actionId }) => core.custody.getAction(actionId),
  ),
  tool(
    'get_wallet_stats',
    {
      title: 'Get the sum of all wallets',
      description: `Balances, positions and yield of the organization, by token. ${DECIMALS}`,
    },
    {},
    async ({ core }) => core.wallets.stats(),
  ),
  tool(
    'get_health',
    { title: 'Get the health', description: 'When agents last polled, how far each chain is followed, gas left.' },
    {},
    async ({ core }) => core.organization.health(),
  ),
  tool(
    'get_own_service_account',
    {
      title: 'Get what the service account may do',
      description: 'Role, networks and expiry of the service account of this server.',
    },
    {},
    async ({ core }) => {
      const { secrets, ...account } = await core.serviceAccounts.own()
      return { ...account, secrets: secrets.map(({ preview: _, ...secret }) => secret) }
    },
  ),
]
