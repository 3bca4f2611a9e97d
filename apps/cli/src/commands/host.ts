import { confirm } from '../ask.ts'
import { defineCommand } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import { EXIT, UsageError } from '../shell.ts'
import { wholeNumber } from '../whole-number.ts'

/** Which database every command here changes; docs/cli.md says it once. */
export const ON_THE_HOST =
  'Writes to the database of DATABASE_URL, or the one under DATA_DIR (.data); it can run beside the service.'

/** What an operator does on the host, on the service's database. */
export function defineHostCommands(definer: Definer): void {
  defineInvite(definer)
  defineOwner(definer)
  defineDomain(definer)
  defineOrganization(definer)
  defineRotateSecrets(definer)
}

function defineInvite({ program, shell, end }: Definer): void {
  defineCommand(
    program,
    { shell, end },
    {
      usage: 'invite [email]',
      summary: 'Create an invitation to register an organization',
      description: `Prints an invitation that registers one organization within a week. Works with REGISTRATION=invite and REGISTRATION=open. ${ON_THE_HOST}`,
      arguments: { email: 'the only address that can use it' },
      examples: [{ run: 'invite owner@example.com', does: 'the first owner of a live installation' }],
      async run({ env }, args) {
        if (args[0] !== undefined) requireAddress(args[0])
        const { invite } = await import('../../../server/src/main/commands/invite-command.ts')
        const lines: string[] = []
        const json = await invite(env, args, (line) => lines.push(line))
        return { json, lines }
      },
    },
  )
}

function defineOwner({ group, shell, end }: Definer): void {
  defineCommand<{ resetChangePolicy?: boolean; yes?: boolean }>(
    group('owner', 'Help an owner who is locked out'),
    { shell, end },
    {
      usage: 'recover <email>',
      summary: 'Print a one-time password for an owner who lost theirs',
      description: `Prints a password that is valid for an hour, only to set another one. Removes the owner's second factors and ends all their sessions; the audit log records it, and the owner approves nothing for 24 hours. Asks first. ${ON_THE_HOST}`,
      arguments: { email: 'address of the owner' },
      options: [
        ['--reset-change-policy', 'also lift the rules for changes of the configuration'],
        ['--yes', 'do not ask'],
      ],
      examples: [{ run: 'owner recover owner@example.com', does: 'after checking who is asking' }],
      async run(own, args, { resetChangePolicy, yes }) {
        const [email = ''] = args
        requireAddress(email)
        const question = `Remove the second factors of ${email}, and end all their sessions?`
        if (!yes && !(await confirm(own, question)))
          return { json: { recovered: false }, lines: ['nothing was changed'] }
        const { recoverOwnerByCommand } = await import('../../../server/src/main/commands/owner-recover-command.ts')
        const lines: string[] = []
        const given = resetChangePolicy ? [...args, '--reset-change-policy'] : args
        const json = await recoverOwnerByCommand(own.env, given, (line) => lines.push(line))
        return { json, lines }
      },
    },
  )
}

function defineDomain({ group, shell, end }: Definer): void {
  defineCommand(
    group('domain', 'Email domains for single sign-on'),
    { shell, end },
    {
      usage: 'approve <organization> <domain>',
      summary: 'Record that an organization owns an email domain',
      description: `For domains without public name servers, and for the sandbox; otherwise owners prove a domain with a TXT record. The audit log records it. ${ON_THE_HOST}`,
      arguments: { organization: 'id of the organization', domain: 'such as example.com' },
      examples: [{ run: 'domain approve 7 corp.example', does: 'organization 7 owns corp.example' }],
      async run({ env }, args) {
        wholeNumber('the id of the organization', args[0] ?? '')
        if (!/^[^\s@.]+(?:\.[^\s@.]+)+$/.test(args[1] ?? ''))
          throw new UsageError(`"${args[1]}" is not an email domain, such as example.com`)
        const { approveDomainByCommand } = await import('../../../server/src/main/commands/domain-approve-command.ts')
        const lines: string[] = []
        await approveDomainByCommand(env, args, (line) => lines.push(line))
        return { json: { organizationId: Number(args[0]), domain: args[1] }, lines }
      },
    },
  )
}

function defineOrganization({ group, shell, end }: Definer): void {
  defineCommand<{ yes?: boolean }>(
    group('organization', 'Organizations that were deleted'),
    { shell, end },
    {
      usage: 'erase <id>',
      summary: 'Destroy the personal data of a deleted organization',
      description: `Destroys names, addresses and bank details of its members and recipients for good; its payments, ledger and audit log stay. Refused while the organization is not deleted, or money is in transit. Asks first. ${ON_THE_HOST}`,
      arguments: { id: 'id of the deleted organization' },
      options: [['--yes', 'do not ask']],
      examples: [{ run: 'organization erase 7', does: 'asks before it begins' }],
      async run(own, args, { yes }) {
        wholeNumber('the id', args[0] ?? '')
        const question = `Destroy the personal data of organization ${args[0]} for good?`
        if (!yes && !(await confirm(own, question))) return { json: { erased: false }, lines: ['nothing was changed'] }
        const { eraseOrganizationByCommand } = await import(
          '../../../server/src/main/commands/erase-organization-command.ts'
        )
        const lines: string[] = []
        await eraseOrganizationByCommand(own.env, args, (line) => lines.push(line))
        return { json: { erased: true, organizationId: Number(args[0]), lines }, lines }
      },
    },
  )
}

function requireAddress(text: string): void {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new UsageError(`"${text}" is not an email address`)
}

function defineRotateSecrets({ program, shell, end }: Definer): void {
  defineCommand<{ check?: boolean; newDataKey?: boolean; useDataKey?: boolean }>(
    program,
    { shell, end },
    {
      usage: 'rotate-secrets',
      summary: 'Seal every stored value under the current encryption key',
      description:
        'Seals stored values under the first key of the settings (the steps: docs/secrets.md). It can run beside the service, be interrupted and repeated.',
      options: [
        ['--check', 'print what each key still has, and change nothing'],
        ['--new-data-key', 'store another data key of AWS KMS, which only opens values'],
        ['--use-data-key', 'make that data key the current one'],
      ],
      codes: {
        [EXIT.problems]:
          'some values could not be read, and are unchanged; with --check: sealed values need a key that the settings lack',
      },
      examples: [{ run: 'rotate-secrets', does: 'seal everything under the first key' }],
      async run({ env }, _args, { check, newDataKey, useDataKey }) {
        const args = [check && '--check', newDataKey && '--new-data-key', useDataKey && '--use-data-key']
        const given = args.filter((arg) => typeof arg === 'string')
        if (given.length > 1) throw new UsageError(`${given.join(' and ')} are two steps: run one after the other`)
        const { rotateSecrets } = await import('../../../server/src/main/commands/rotate-secrets-command.ts')
        const lines: string[] = []
        const { isWhole, ...found } = await rotateSecrets(env, given, (line) => lines.push(line))
        return { json: { ...found, lines }, lines, code: isWhole ? EXIT.done : EXIT.problems }
      },
    },
  )
}
