import { Button, Code, Group, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { MEMBERS } from '../../api/paths.ts'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useAction, useApi } from '../../api/use-api.ts'
import { Curl } from '../../parts/curl.tsx'
import { Drawer } from '../../parts/dialogs.tsx'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { Facts, Time, words } from '../../parts/values.tsx'
import { ProviderFields } from './provider-fields.tsx'
import { bodyOf, contentOf, mappingsOf, PROVIDERS, type Provider } from './sso.ts'

interface Props {
  readonly provider: Provider
  readonly proved: readonly string[]
  readonly onClose: () => void
}

export function ProviderPanel({ provider, proved, onClose }: Props) {
  const may = useMay()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const close = () => setDialog(undefined)
  return (
    <Drawer opened onClose={onClose} title={provider.name}>
      <Stack gap="lg">
        <Facts
          items={[
            ['Issuer', provider.issuer],
            ['Client ID', provider.clientId],
            ['Domains', provider.domains.join(', ') || '–'],
            ['Claim that gives roles', provider.roleClaim ?? '–'],
            ['Everybody else', provider.defaultRole === null ? 'is refused' : words(provider.defaultRole)],
            ['Changed', <Time key="c" iso={provider.updatedAt} />],
          ]}
        />
        <Stack gap={4}>
          <Text size="sm">Register this address at the provider:</Text>
          <Code block tabIndex={0}>
            {provider.callbackUrl}
          </Code>
        </Stack>
        <Requirement provider={provider} />
        {may.own && (
          <Group gap="xs">
            <Button variant="default" onClick={() => setDialog('edit')}>
              Edit
            </Button>
            <Button variant="default" color="red.9" onClick={() => setDialog('delete')}>
              Delete
            </Button>
          </Group>
        )}
      </Stack>
      {dialog === 'edit' && <Edit provider={provider} proved={proved} onClose={close} />}
      {dialog === 'delete' && (
        <FormDialog
          title={`Delete ${provider.name}?`}
          action={{ method: 'DELETE', path: `${PROVIDERS}/${provider.id}` }}
          submit="Delete"
          done="Provider deleted."
          onDone={onClose}
          onClose={close}
        >
          <Text size="sm">
            Nobody can sign in there from then on, and passwords work again for its domains. Its members stay members.
          </Text>
        </FormDialog>
      )}
    </Drawer>
  )
}

/** Whether passwords of its domains are refused, and which owner may still use one. */
function Requirement({ provider }: { readonly provider: Provider }) {
  const may = useMay()
  const members = useApi<Schema<'Member'>[]>(MEMBERS).data?.data ?? []
  const save = useAction('Saved.')
  const path = `${PROVIDERS}/${provider.id}`
  const { enforced, breakGlassMemberId } = provider
  const disabled = !may.own || save.isPending
  const put = (body: object) => save.mutate({ method: 'PATCH', path, body })
  return (
    <Stack gap="sm" component="section" aria-label="Requirement">
      <Title order={3} size="h5">
        Requirement
      </Title>
      <Switch
        label="Members of its domains must sign in here"
        description="Their passwords are refused. Sign in here yourself first."
        checked={enforced}
        disabled={disabled}
        onChange={(event) => put({ enforced: event.currentTarget.checked })}
      />
      <Select
        label="May still use a password"
        description="An owner, in case the provider is down"
        placeholder="Nobody"
        clearable
        disabled={disabled}
        data={members
          .filter(({ role }) => role === 'owner')
          .map(({ id, email }) => ({ value: String(id), label: email }))}
        value={breakGlassMemberId === null ? null : String(breakGlassMemberId)}
        onChange={(value) => put({ breakGlassMemberId: value === null ? null : Number(value) })}
      />
      <Group>
        <Curl method="PATCH" path={path} body={{ enforced: !enforced, breakGlassMemberId }} />
      </Group>
    </Stack>
  )
}

function Edit({ provider, proved, onClose }: Props) {
  const [content, setContent] = useState(() => contentOf(provider))
  const body = bodyOf(content)
  return (
    <FormDialog
      title={`Edit ${provider.name}`}
      action={{ method: 'PATCH', path: `${PROVIDERS}/${provider.id}`, body }}
      shown={'clientSecret' in body ? { ...body, clientSecret: '$CLIENT_SECRET' } : body}
      submit="Save"
      done="Saved."
      ready={
        content.name.trim() !== '' && content.clientId.trim() !== '' && mappingsOf(content.roleMappings) !== undefined
      }
      onClose={onClose}
    >
      <ProviderFields value={content} proved={proved} isNew={false} onChange={setContent} />
    </FormDialog>
  )
}
