import Type from 'typebox'
import {
  getNotificationSettings,
  type IdentityParts,
  type NotificationSettings,
  updateNotificationSettings,
} from '../../../../identity/index.ts'
import { type App, envelope, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { byEveryone } from '../../access.ts'

const NotificationData = Type.Object(
  {
    approvalMails: Type.Boolean({
      description: 'An email when an operation or a change request waits for your approval.',
    }),
  },
  { $id: 'NotificationSettings', description: 'Which emails you want, besides those about your account.' },
)

const tags = ['Authentication']
const present = (settings: NotificationSettings) => ok(settings)

/** The user's own notifications: `/api/core/auth/notifications`. */
export function notificationRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/auth/notifications',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'getNotificationSettings',
        summary: 'Get your notifications',
        description: 'Which emails you want. Your organization can switch them off for everybody.',
        response: { 200: envelope(NotificationData, 'Your settings.') },
      },
    },
    async (request) => present(await getNotificationSettings(parts, userCredentialOf(request))),
  )

  app.put(
    '/api/core/auth/notifications',
    {
      config: { ...byEveryone, audit: { object: 'member', id: 'credential.userId', details: ['data.approvalMails'] } },
      schema: {
        tags,
        operationId: 'updateNotificationSettings',
        summary: 'Change your notifications',
        description: 'Emails about your own account, such as a new password, cannot be switched off.',
        body: NotificationData,
        response: { 200: envelope(NotificationData, 'Your new settings.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, present, (transact) =>
        updateNotificationSettings(parts, userCredentialOf(request), request.body, transact),
      ),
  )
}
