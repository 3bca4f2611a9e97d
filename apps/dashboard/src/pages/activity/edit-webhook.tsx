import { Text } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOKS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { bodyOf, isComplete, type WebhookContent, WebhookFields } from './webhook-fields.tsx'

/** Another receiver may need an approval; which events it gets does not. So only what changed is sent. */
export function EditWebhook({ hook, onClose }: { readonly hook: Schema<'Webhook'>; readonly onClose: () => void }) {
  const before = { url: hook.url, events: hook.events, description: hook.description ?? '' }
  const [content, setContent] = useState<WebhookContent>(before)
  const [old, next] = [bodyOf(before), bodyOf(content)]
  const names = (Object.keys(next) as (keyof typeof next)[]).filter(
    (name) => JSON.stringify(next[name]) !== JSON.stringify(old[name]),
  )
  const body = Object.fromEntries(names.map((name) => [name, next[name]]))
  return (
    <FormDialog
      title="Edit the webhook"
      action={{ method: 'PATCH', path: `${WEBHOOKS}/${hook.id}`, body }}
      submit="Save"
      done="Saved."
      ready={names.length > 0 && isComplete(content)}
      onClose={onClose}
    >
      <WebhookFields value={content} onChange={setContent} />
      <Text size="sm" c="dimmed">
        Pending deliveries also go to the new URL.
      </Text>
    </FormDialog>
  )
}
