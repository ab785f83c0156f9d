import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Database } from 'lucide-react';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import { getSchema, type EntityKind } from '../api/graph';
import { useProposal } from '../changesets/proposal';
import { useAppearanceVersion } from '../explore/appearance';
import { explorePath } from '../explore/url';
import { SearchField } from '../search/SearchField';
import { mayLoadSample, usePermissions, type Me } from '../session/session';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { Import } from '../transfer/TransferMenu';
import { LastChanges, LastOpened, SavedViews, WaitingChangeSets } from './Activity';
import { readStored, toggleFavourite } from './stored';
import { TypeOverview } from './TypeOverview';

/** The first page: what the database holds, what was changed, and what waits for the user. */
export default function HomePage({ me }: { me: Me }) {
  const may = usePermissions();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const [favourites, setFavourites] = useState(() => readStored(me.id).favourites);
  const proposing = useProposal().active; // an import writes at once
  const [loadingSample, setLoadingSample] = useState(false);
  useAppearanceVersion();

  if (!may.see) return <Navigate to={may.query ? '/queries' : '/explore'} replace />;
  if (schema.isLoadingError) return <LoadError error={schema.error} subject="the graph" retry={() => void schema.refetch()} />;
  const empty = schema.data?.node_types.length === 0 && schema.data.edge_types.length === 0;
  const kinds: EntityKind[] = may.edge.read ? ['node', 'edge'] : ['node'];
  return (
    <div className="page">
      <div className="page-inner home" id="content" tabIndex={-1}>
        <h1>What this database holds</h1>
        <div className="home-main">
          {empty ? (
            <EmptyState
              icon={Database}
              title="The graph is empty"
              action={
                <>
                  <Link className="linkbutton" to={explorePath({})}>
                    Create the first node, or import a file
                  </Link>
                  {mayLoadSample(me) && !proposing && (
                    <Button variant="default" mt="xs" onClick={() => setLoadingSample(true)}>
                      Load a sample graph…
                    </Button>
                  )}
                </>
              }
            >
              The database contains no nodes yet. Data written with Cypher appears here automatically.
            </EmptyState>
          ) : (
            <>
              <div className="home-search">
                <SearchField words="" />
              </div>
              {schema.data ? (
                <TypeOverview
                  schema={schema.data}
                  kinds={kinds}
                  favourites={favourites}
                  onToggle={(favourite) => setFavourites(toggleFavourite(me.id, favourite))}
                />
              ) : (
                <Loading subject="the types" />
              )}
            </>
          )}
        </div>
        <div className="home-side">
          <WaitingChangeSets me={me} />
          <SavedViews />
          <LastChanges me={me} />
          <LastOpened me={me} />
        </div>
        {loadingSample && <Import sample onClose={() => setLoadingSample(false)} />}
      </div>
    </div>
  );
}
