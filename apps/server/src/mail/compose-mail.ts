import type { AccountChange, MailContent, WaitingRequest } from '../identity/index.ts'
import { MAIL_NAME_LENGTH_MAX } from '../kernel/index.ts'
import { type MailLayout, renderHtml, renderText } from './layout.ts'

/** The words of an email. */
export interface ComposedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Writes an email. Subjects contain nothing that people chose. Links lead to `accountUrl`, with the token in the
 * fragment: browsers do not send it to servers, so it is in no log and no `Referer`.
 */
export function composeMail(content: MailContent, accountUrl: string): ComposedMail {
  const layout = layoutOf(content, (action, token) => `${accountUrl}#${action}=${token}`)
  return { subject: layout.subject, text: renderText(layout), html: renderHtml(layout) }
}

type LinkTo = (action: 'reset' | 'verify' | 'register' | 'join', token: string) => string

const IGNORE = 'If you did not request this, ignore this email: nothing changes.'

function layoutOf(content: MailContent, linkTo: LinkTo): MailLayout {
  const organization = quotedName(content.organizationName)
  switch (content.kind) {
    case 'password_reset':
      return {
        subject: 'Reset your password',
        paragraphs: [
          `Somebody, probably you, asked to reset the password of your account in ${organization}.`,
          'The link works once and for one hour. Setting a new password ends all your sessions, and you can approve operations again 24 hours later.',
        ],
        button: { label: 'Set a new password', url: linkTo('reset', content.token) },
        closing: [
          IGNORE,
          `If you did not create the account in ${organization}, check its members and API keys after you sign in.`,
        ],
      }
    case 'email_verification':
      return {
        subject: 'Confirm your email address',
        paragraphs: [
          `Confirm that this address belongs to your account in ${organization}.`,
          'The link works once and for 24 hours. It asks for the password of your account.',
        ],
        button: { label: 'Confirm the address', url: linkTo('verify', content.token) },
        closing: ['If you have no such account, ignore this email and do not follow the link.'],
      }
    case 'registration':
      return {
        subject: 'Confirm your registration',
        paragraphs: [
          `Somebody, probably you, registered the organization ${organization} with this address.`,
          'The link works once and for 24 hours. It asks for the password that you chose, and then creates the organization.',
          ...(content.heldIn === null
            ? []
            : [
                `A member of ${quotedName(content.heldIn)} uses this address and never confirmed it. If that is you, ignore this email and sign in there. If you confirm, that account loses the address.`,
              ]),
        ],
        button: { label: 'Confirm the registration', url: linkTo('register', content.token) },
        closing: [IGNORE],
      }
    case 'registration_of_member':
      return {
        subject: 'You already have an account',
        paragraphs: [
          `Somebody, probably you, tried to register an organization with this address. It already belongs to your account in ${organization}.`,
          'Sign in with it, or reset its password if you forgot it. To register another organization, use another address.',
        ],
        closing: [IGNORE],
      }
    case 'member_invitation':
      return {
        subject: 'You are invited to an organization',
        paragraphs: [
          `${quotedName(content.invitedBy)} invites you to join ${organization} with the role ${content.role}.`,
          'The link works once and for seven days. You choose your own password.',
        ],
        button: { label: 'Accept the invitation', url: linkTo('join', content.token) },
        closing: ['If you do not know the sender, ignore this email.'],
      }
    case 'approval_request':
      return approvalLayout(organization, content.request)
    case 'notice':
      return noticeLayout(organization, content.change)
  }
}

const MOVES = {
  SUPPLY: ['supplies', 'to'],
  UNWIND: ['withdraws', 'from'],
  REVOKE: ['revokes an allowance of', 'for'],
} as const

function approvalLayout(organization: string, request: WaitingRequest): MailLayout {
  const closing = [
    'Sign in to Weir as usual to see everything, and to approve or reject it. This email has no link, so that none can be forged.',
    'You can turn these emails off for yourself; an owner can turn them off for everybody.',
  ]
  if (request.what === 'change')
    return {
      subject: 'A change waits for your approval',
      paragraphs: [
        `In ${organization}, change request ${request.id} waits for approval: ${quotedName(request.summary)}.`,
      ],
      closing,
    }
  const { id, type, amount, token, blockchain, venueName } = request
  const [does, direction] = MOVES[type]
  return {
    subject: 'An operation waits for your approval',
    paragraphs: [
      `In ${organization}, operation ${id} waits for approval. It ${does} ${amount} ${token} ${direction} ${quotedName(venueName)} on ${blockchain}.`,
    ],
    closing,
  }
}

function noticeLayout(organization: string, change: AccountChange): MailLayout {
  const of = `your account in ${organization}`
  const alarm =
    'If you did not expect this, reset your password at once and tell an owner of the organization: somebody else may control the account.'
  switch (change.what) {
    case 'own_password':
      return notice('Your password was changed', [`The password of ${of} was changed.`], alarm)
    case 'reset_password':
      return notice(
        'Your password was reset',
        [`The password of ${of} was reset by a link that was sent to this address. All sessions have ended.`],
        alarm,
      )
    case 'assigned_password':
      return notice(
        'Your password was set by somebody else',
        [`An owner or admin of the organization set a new password for ${of}. Your sessions have ended.`],
        alarm,
      )
    case 'factors_removed':
      return notice(
        'Your second factors were removed',
        [
          `An owner or admin of the organization removed the second factors of ${of}. Your sessions have ended, and you can approve operations again 24 hours later.`,
        ],
        alarm,
      )
    case 'accounts_unlinked':
      return notice(
        'Your sign-in accounts were unlinked',
        [
          `An owner or admin of the organization unlinked the accounts at identity providers that you sign in to ${of} with. The next account that signs in with this address is linked.`,
        ],
        'If you did not expect this, tell an owner of the organization at once: somebody else may get the account.',
      )
    case 'role':
      return notice(
        'Your role was changed',
        [`The role of ${of} was changed from ${change.from} to ${change.to}.`],
        'If you did not expect this, ask an owner of the organization.',
      )
    case 'address':
      return notice(
        'Your email address was changed',
        [`${of.replace(/^y/, 'Y')} now uses the address ${quotedName(change.to)} instead of this one.`],
        'If you did not do this, tell an owner of the organization at once: somebody else controls the account.',
      )
    case 'address_released':
      return notice(
        'Your account lost this address',
        [
          `${of.replace(/^y/, 'Y')} never confirmed this address. The organization that proved its domain uses it for single sign-on now, so the account lost it, and keeps everything else. Its login name is ${change.to}.`,
        ],
        'If you have no such account, ignore this email.',
      )
  }
}

const notice = (subject: string, paragraphs: readonly string[], closing: string): MailLayout => ({
  subject,
  paragraphs,
  closing: [closing],
})

/** Characters that hide, reorder or break text: controls, formats, private use, line and paragraph separators. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]+/gu

/**
 * A name that somebody chose, as an email shows it: one line, 60 characters, in quotation marks, and with joiners that
 * keep mail programs from turning it into a link.
 */
export function quotedName(name: string): string {
  const line = name.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  const short =
    characters.length > MAIL_NAME_LENGTH_MAX ? `${characters.slice(0, MAIL_NAME_LENGTH_MAX - 1).join('')}…` : line
  return `“${short.replace(/[“”]/g, '"').replace(/[.:/@](?=\S)/g, '$&\u2060')}”`
}
