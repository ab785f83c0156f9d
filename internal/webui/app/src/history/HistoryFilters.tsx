import type { ComponentProps } from 'react';
import { statuses } from '../changesets/changesets';
import { FilterForm, type FilterField } from '../shell/FilterForm';
import { actions } from './history';

const fields: FilterField[] = [
  { name: 'kind', label: 'Kind', choices: ['node', 'edge'] },
  { name: 'type', label: 'Type' },
  { name: 'action', label: 'Action', choices: actions },
  { name: 'user', label: 'User' },
  { name: 'status', label: 'Status', choices: statuses },
  { name: 'author', label: 'Author' },
];

interface Props extends Omit<ComponentProps<typeof FilterForm>, 'fields'> {
  names: readonly string[];
}

/** The filters of the trash, of the feed and of change sets. */
export const HistoryFilters = ({ names, ...props }: Props) => (
  <FilterForm {...props} fields={names.flatMap((name) => fields.find((field) => field.name === name) ?? [])} />
);
