import { ActionIcon, Button, Group, NativeSelect, Popover, TextInput, Tooltip } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { notify } from '../shell/notify';
import type { Mapping } from './mapping';
import { applyRecipe, keepRecipe, loadRecipes } from './recipes';
import type { Table } from './tables';

/** Applies a mapping that was kept by a name, and keeps this one. */
export function RecipeBar({ table, mapping, onApply }: { table: Table; mapping: Mapping; onApply: (mapping: Mapping) => void }) {
  const [recipes, setRecipes] = useState(loadRecipes);
  const [applied, setApplied] = useState('');
  const [name, setName] = useState('');
  const [opened, setOpened] = useState(false);
  const names = Object.keys(recipes).sort();
  const keep = (of: string, kept: Mapping | null) => {
    const all = keepRecipe(of, kept);
    if (all === false) notify('The browser does not allow it', 'Not kept');
    else setRecipes({ ...all });
    setApplied(kept ? of : '');
    setOpened(false);
  };
  return (
    <Group gap={6} align="flex-end" ml="auto">
      {names.length > 0 && (
        <NativeSelect
          label="Recipe"
          value={applied}
          data={[
            { value: '', label: 'none' },
            ...names.map((each) => ({ value: each, label: each, disabled: applyRecipe(recipes[each]!, table) === null })),
          ]}
          onChange={(e) => {
            const chosen = recipes[e.currentTarget.value];
            const next = chosen && applyRecipe(chosen, table);
            setApplied(next ? e.currentTarget.value : '');
            if (next) onApply(next);
          }}
        />
      )}
      {applied !== '' && (
        <Tooltip label="Delete the recipe">
          <ActionIcon size="lg" variant="default" aria-label="Delete the recipe" onClick={() => keep(applied, null)}>
            <Trash2 size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      <Popover opened={opened} onChange={setOpened} trapFocus withinPortal={false} position="bottom-end">
        <Popover.Target>
          <Button
            variant="default"
            onClick={() => {
              setName(applied || mapping.type);
              setOpened(!opened);
            }}
          >
            Save as recipe
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <form
            onSubmit={(e) => {
              e.preventDefault();
              if (name.trim() !== '') keep(name.trim(), mapping);
            }}
          >
            <Group gap={6} align="flex-end">
              <TextInput
                label="Name"
                description="Kept in this browser"
                value={name}
                onChange={(e) => setName(e.currentTarget.value)}
                maxLength={80}
                data-autofocus
              />
              <Button type="submit" disabled={name.trim() === ''}>
                Save
              </Button>
            </Group>
          </form>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}
