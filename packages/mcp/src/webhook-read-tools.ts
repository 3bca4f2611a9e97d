import { z } from 'zod'
import { id, page, type ReadTool, tool } from './read-tool.ts'

const HOST = 'Of its URL, only the host: the rest may be a secret.'

/** What a service account reads about webhooks; no tool reads a secret of theirs. */
export const WEBHOOK_READ_TOOLS: readonly ReadTool[] = [
  tool(
    'list_webhooks',
    {
      title: 'List webhooks',
      description: `Receivers of events, with the events of each, its status, and since when it fails. ${HOST}`,
    },
    { status: z.enum(['active', 'failing', 'disabled']).optional(), ...page },
    async ({ core }, input) => core.webhooks.list(input),
  ),
  tool(
    'get_webhook',
    { title: 'Get a webhook', description: `A receiver of events, and why it is disabled. ${HOST}` },
    { webhookId: id('Webhook id.') },
    async ({ core }, { webhookId }) => core.webhooks.get(webhookId),
  ),
  tool(
    'list_webhook_deliveries',
    {
      title: 'List deliveries of a webhook',
      description: 'Events that it was sent, newest first, with each attempt, its response and the next attempt.',
    },
    {
      webhookId: id('Webhook id.'),
      status: z.enum(['pending', 'delivered', 'failed']).optional(),
      operationId: id('Only deliveries about this operation.').optional(),
      ...page,
    },
    async ({ core }, { webhookId, ...input }) => core.webhooks.listDeliveries(webhookId, input),
  ),
]
