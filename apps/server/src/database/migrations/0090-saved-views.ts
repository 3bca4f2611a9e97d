import { statement } from '../migration-steps.ts'

/** Filters of a page under a name, which a member keeps or shares with the organization. */
export const steps = [
  statement(`
    create table if not exists saved_views (
      organization_id bigint not null references organizations (id),
      id bigint generated always as identity,
      name text not null,
      path text not null,
      query text not null,
      is_shared boolean not null,
      created_by bigint not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (organization_id, id),
      foreign key (organization_id, created_by) references users (organization_id, id)
    )
  `),
  statement(`
    create unique index if not exists saved_views_of_member on saved_views (organization_id, created_by, path, name)
  `),
  statement(`
    create index if not exists saved_views_shared on saved_views (organization_id, path) where is_shared
  `),
]
