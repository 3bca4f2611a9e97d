import { z } from 'zod'
import { DECIMALS, id, page, type ReadTool, tool } from './read-tool.ts'

/** What a service account reads about the rules and limits of its organization. */
export const RULE_READ_TOOLS: readonly ReadTool[] = [
  tool(
    'get_approval_policy',
    { title: 'Get the approval policy', description: 'Which operations wait for how many approvals.' },
    {},
    async ({ core }) => core.approvalPolicy.get(),
  ),
  tool(
    'evaluate_approval_policy',
    {
      title: 'Evaluate the approval policy',
      description: `Whether the policy would let an operation go ahead, and which rule decides. Changes nothing. ${DECIMALS}`,
    },
    {
      type: z.enum(['SUPPLY', 'UNWIND']),
      amount: z
        .string()
        .regex(/^\d{1,30}(\.\d{1,18})?$/)
        .describe('Decimal, such as 900.00.'),
      walletId: id('Wallet id.').optional(),
      strategyId: id('Strategy id.').optional(),
    },
    async ({ core }, { type, amount, walletId, strategyId }) =>
      core.approvalPolicy.evaluate({
        type,
        amount,
        ...(walletId !== undefined && { walletId }),
        ...(strategyId !== undefined && { strategyId }),
      }),
  ),
  tool(
    'list_change_requests',
    {
      title: 'List changes that need approval',
      description: 'Requests to change members, keys, policies or limits, with their approvals.',
    },
    {
      status: z.enum(['requested', 'approved', 'rejected', 'cancelled', 'expired', 'completed']).optional(),
      ...page,
    },
    async ({ core }, input) => core.changeRequests.list(input),
  ),
  tool(
    'get_change_request',
    {
      title: 'Get a change that needs approval',
      description: 'What is to change, who requested it, and the decisions so far.',
    },
    { changeRequestId: id('Change request id.') },
    async ({ core }, { changeRequestId }) => core.changeRequests.get(changeRequestId),
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
]
