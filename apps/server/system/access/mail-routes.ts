import type { RouteAccess } from './path-ids.ts'

/** The routes of mail: links that it carries, invitations of members, and the sandbox's mailbox. */
export const MAIL_ROUTES: Readonly<Record<string, RouteAccess>> = {
  'GET /sandbox/mailbox': { access: 'open' },
  'GET /sandbox/mailbox/{id}': { access: 'open', probe: { path: { id: 2 ** 40 } } },
  'GET /account': { access: 'open' },
  'GET /api/core/invitations': { access: 'admins' },
  'POST /api/core/auth/register/confirm': { access: 'open' },
  'POST /api/core/auth/password-reset': { access: 'open' },
  'POST /api/core/auth/password-reset/confirm': { access: 'open' },
  'POST /api/core/auth/email-verification': { access: 'everyone' },
  'POST /api/core/auth/email-verification/confirm': { access: 'open' },
  'POST /api/core/auth/email': { access: 'everyone' },
  'POST /api/core/auth/invitations/accept': { access: 'open' },
  'POST /api/core/invitations': { access: 'admins' },
  'DELETE /api/core/invitations/{id}': { access: 'admins', request: [({ invitationId: id }) => ({ path: { id } })] },
}
