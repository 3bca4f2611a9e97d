import { useState } from 'react'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { ProviderFields } from './provider-fields.tsx'
import { bodyOf, EMPTY, mappingsOf, PROVIDERS } from './sso.ts'

/** A new provider. It is asked nothing before somebody signs in there. */
export function ProviderForm({
  proved,
  onClose,
}: {
  readonly proved: readonly string[]
  readonly onClose: () => void
}) {
  const [content, setContent] = useState({ ...EMPTY, domains: proved })
  const { name, issuer, clientId, clientSecret, roleMappings } = content
  const body = { ...bodyOf(content), issuer: issuer.trim() }
  const ready =
    [name, issuer, clientId, clientSecret].every((each) => each.trim() !== '') && mappingsOf(roleMappings) !== undefined
  return (
    <FormDialog
      title="Add an identity provider"
      action={{ method: 'POST', path: PROVIDERS, body }}
      shown={{ ...body, clientSecret: '$CLIENT_SECRET' }}
      submit="Add"
      done="Provider added. Sign in there once before you require it."
      ready={ready}
      onClose={onClose}
    >
      <ProviderFields value={content} proved={proved} isNew onChange={setContent} />
    </FormDialog>
  )
}
