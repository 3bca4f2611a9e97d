import { z } from 'zod'
import { DECIMALS, id, page, type ReadTool, tool } from './read-tool.ts'

const NEEDS = 'Needs the permission ramp; an admin key with it only reads.'
const NUMBERS = 'Account numbers and their holders are not returned.'

const direction = z.enum(['onramp', 'offramp'])
const status = z.enum([
  'pending',
  'processing',
  'in_progress',
  'awaiting_confirmation',
  'broadcasted',
  'completed',
  'failed',
  'rejected',
  'reversed',
])
const days = {
  date_from: z.iso.date().optional().describe('First day, such as 2026-01-31.'),
  date_to: z.iso.date().optional().describe('Last day.'),
}
const owner = {
  recipientId: id('Accounts of this recipient; without it, those of the organization itself.').optional(),
}

/** What a key with the permission `ramp` reads, apart from account numbers, postal addresses and links to forms. */
export const RAMP_READ_TOOLS: readonly ReadTool[] = [
  tool(
    'list_ramp_transactions',
    { title: 'List payments', description: `Payments between banks and chains, newest first. ${NEEDS} ${DECIMALS}` },
    {
      type: direction.optional(),
      status: status.optional(),
      ramp_recipient_id: id('Only payments of this recipient.').optional(),
      ...days,
      ...page,
    },
    async (weir, input) => weir.v1.ramp.transactions.list(input),
  ),
  tool(
    'get_ramp_transaction',
    {
      title: 'Get a payment',
      description: `A payment with its fees, the history of its status, and why it failed. ${NEEDS} ${DECIMALS}`,
    },
    { rampTransactionId: id('Payment id.') },
    async (weir, { rampTransactionId }) => weir.v1.ramp.transactions.get(rampTransactionId),
  ),
  tool(
    'get_ramp_summary',
    {
      title: 'Get the sum of all payments',
      description: `Volume, fees and numbers of payments, by status and by day. ${NEEDS} ${DECIMALS}`,
    },
    days,
    async (weir, input) => weir.v1.ramp.transactions.summary(input),
  ),
  tool(
    'quote_ramp',
    {
      title: 'Quote a payment',
      description: `What a payment between bank and chain would cost and deliver. ${NEEDS}`,
    },
    { usd_amount: z.number().positive().describe('US dollars.'), type: direction.default('onramp') },
    async (weir, { usd_amount, type }) => weir.v1.ramp.quote({ usd_amount: `${usd_amount}`, type }),
  ),
  tool(
    'get_ramp_fees',
    { title: 'Get the fees of payments', description: `The fee terms of the organization, in basis points. ${NEEDS}` },
    {},
    async (weir) => weir.v1.ramp.fees(),
  ),
  tool(
    'get_verification',
    {
      title: 'Get the verification of the organization',
      description: `Its KYB status and on-ramp accounts, without the form. ${NUMBERS} ${NEEDS}`,
    },
    {},
    async (weir) => weir.v1.ramp.kyb.status(),
  ),
  tool(
    'list_recipients',
    {
      title: 'List recipients',
      description: `Persons and businesses that pay or are paid, with the KYB status of each. ${NEEDS} ${DECIMALS}`,
    },
    {
      kyb_status: z.enum(['pending', 'submitted', 'approved', 'declined']).optional(),
      archived: z.boolean().default(false).describe('Only archived ones; otherwise only active ones.'),
      ...page,
    },
    async (weir, input) => weir.v1.ramp.recipients.list(input),
  ),
  tool(
    'get_recipient',
    {
      title: 'Get a recipient',
      description: `A recipient with its banks and volume, without its postal address. ${NUMBERS} ${NEEDS} ${DECIMALS}`,
    },
    { recipientId: id('Recipient id.') },
    async (weir, { recipientId }) => {
      const { address: _, ...recipient } = await weir.v1.ramp.recipients.get(recipientId)
      return recipient
    },
  ),
  tool(
    'list_onramp_accounts',
    {
      title: 'List on-ramp accounts',
      description: `Bank accounts whose payments arrive as tokens in a wallet. ${NUMBERS} ${NEEDS}`,
    },
    { ...owner, ...page },
    async ({ v1: { ramp } }, { recipientId, ...window }) =>
      recipientId === undefined
        ? ramp.organization.listOnrampAccounts(window)
        : ramp.recipients.listOnrampAccounts(recipientId, window),
  ),
  tool(
    'list_offramp_accounts',
    {
      title: 'List off-ramp accounts',
      description: `Deposit addresses whose tokens are paid out to a bank account. ${NUMBERS} ${NEEDS}`,
    },
    { ...owner, ...page },
    async ({ v1: { ramp } }, { recipientId, ...window }) =>
      recipientId === undefined
        ? ramp.organization.listOfframpAccounts(window)
        : ramp.recipients.listOfframpAccounts(recipientId, window),
  ),
]
