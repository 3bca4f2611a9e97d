import Type from 'typebox'
import { type ErasedRecipient, eraseRecipient, type RampParts } from '../../../../ramp/index.ts'
import { type App, envelope, id, idParams, ok, runVerb } from '../../../http/index.ts'
import { byAdmins } from '../../access.ts'
import { dateTime } from '../../schemas.ts'

const Erased = Type.Object(
  { id: id('Recipient.'), erasedAt: dateTime('When the personal data was destroyed.') },
  { $id: 'ErasedRecipient', description: 'A recipient whose personal data was destroyed.' },
)

const present = ({ customerId, erasedAt }: ErasedRecipient) => ok({ id: customerId, erasedAt: erasedAt.toISOString() })

/** The personal data of recipients: `/api/core/recipients`. */
export function recipientDataRoutes(app: App, parts: RampParts): void {
  app.post(
    '/api/core/recipients/:id/erase',
    {
      config: { ...byAdmins, idempotent: 'plain', audit: { object: 'recipient' } },
      schema: {
        tags: ['Organization'],
        operationId: 'eraseRecipient',
        summary: 'Erase the personal data of a recipient',
        description:
          'Destroys name, external id, address, verification link and bank details of the recipient, and archives it with its accounts. Payments, amounts and the ledger stay; the recipient is then listed as `[erased]`. Permanent; repeating the call changes nothing. Errors: RECIPIENT_NOT_FOUND; 409 CONFLICT with `details.reason` `payments_under_way` while a payment of the recipient is not final.',
        params: idParams('Recipient id.'),
        response: { 200: envelope(Erased, 'The personal data is destroyed.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const input = { organizationId, customerId: request.params.id }
      return runVerb(reply, 200, present, (transact) => eraseRecipient(parts, input, transact))
    },
  )
}
