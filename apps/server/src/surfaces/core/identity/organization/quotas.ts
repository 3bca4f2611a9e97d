import Type from 'typebox'
import {
  apiKeyUse,
  type IdentityParts,
  memberUse,
  profileUse,
  type QuotaUse,
  readQuotas,
  savedViewUse,
} from '../../../../identity/index.ts'
import { QUOTAS, type QuotaName } from '../../../../kernel/index.ts'
import { pendingOperationUse } from '../../../../operations/index.ts'
import { pendingVerificationUse, rampAccountUse, recipientUse } from '../../../../ramp/index.ts'
import { walletUse } from '../../../../wallets/index.ts'
import { webhookUse } from '../../../../webhooks/index.ts'
import { type App, envelope, ok } from '../../../http/index.ts'
import { byEveryoneAndKeys } from '../../access.ts'

const USES: Readonly<Record<QuotaName, QuotaUse>> = {
  apiKeys: apiKeyUse,
  members: memberUse,
  walletProfiles: profileUse,
  wallets: walletUse,
  webhooks: webhookUse,
  rampAccounts: rampAccountUse,
  recipients: recipientUse,
  savedViews: savedViewUse,
  pendingOperations: pendingOperationUse,
  pendingVerifications: pendingVerificationUse,
}

const Quota = Type.Object(
  {
    quota: Type.Enum(Object.keys(QUOTAS) as QuotaName[], {
      description:
        'What is counted: keys that are neither deleted nor expired, with service accounts; wallets with those that an agent was asked for; accounts that are not archived; all recipients; operations that have not ended; verifications that were started and not decided.',
    }),
    limit: Type.Integer({ minimum: 0, description: 'How many the organization may have.' }),
    used: Type.Integer({ minimum: 0, description: 'How many it has.' }),
  },
  { $id: 'Quota', description: 'Limit and use of one kind of object.' },
)

/** `GET /api/core/organization/quotas`. */
export function quotaRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/organization/quotas',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Organization'],
        operationId: 'listQuotas',
        summary: "List the organization's quotas",
        description:
          'How many objects of each kind the organization may have and has. A request for one more than the limit returns 409 CONFLICT with `details`: `reason` `quota_exceeded`, `quota`, `limit` and `used`. The operator of the service sets the limits.',
        response: { 200: envelope(Type.Array(Quota, { description: 'One entry per quota.' }), 'Limits and use.') },
      },
    },
    async (request) => {
      const { organizationId } = request.credential
      const readings = await readQuotas(parts.db, parts, organizationId, USES)
      const quotas = Object.keys(USES) as QuotaName[]
      return ok(quotas.map((quota) => ({ quota, ...readings[quota]! })))
    },
  )
}
